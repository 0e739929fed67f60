import type { lookEn } from "./look-en.js";

export const lookZh: Readonly<Record<keyof typeof lookEn, string>> = {
  readOnly: "仅供查看",
  "readOnly.why": "此服务器只展示运行。要提问，请用 massgen --web 或终端。",
  "readOnly.atWork":
    "另一个进程正在执行并记录此运行，这里只跟随显示。智能体所写的内容在成为答案之前不在记录中；要干预运行，请到启动它的地方。",
  "readOnly.elsewhere": "请到启动该运行的地方答复。",
  "readOnly.waits": "对文件的更改正在等待决定。",
  "readOnly.undecided":
    "{presenter} 更改了 {count} 个文件。作出决定之前不会写到原处：请到启动该运行的地方决定，或用 massgen --resume 加上其日志文件夹。",
};
