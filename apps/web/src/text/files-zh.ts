import type { filesEn } from "./files-en.js";

export const filesZh: Readonly<Record<keyof typeof filesEn, string>> = {
  "tab.files": "文件",
  "files.filter": "文件名的一部分",
  "files.again": "重新查看",
  "files.none": "没有这样的文件。",
  "files.top": "运行记录",
  "files.more": "只显示前 {count} 个；输入名称的一部分可以找到其他文件。",
  "files.choose": "选择一个文件查看。",
  "files.download": "下载",
  "files.large": "大小为 {size}，太大，无法在此查看。",
  "files.binary": "这不是文本；请下载后查看。",
  "files.cut": "只显示前 {count} 个字符。",
  "files.pdf": "文档的样子",
  "files.noPdf": "此浏览器无法显示 PDF；请下载后查看。",
  "files.full": "原始大小",
  "files.page": "页面的样子",
  "files.scripts": "运行其脚本",
  "files.sandbox": "在没有网络的独立框架中显示。",
};
