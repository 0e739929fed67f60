import type { sessionsEn } from "./sessions-en.js";

export const sessionsZh: Readonly<Record<keyof typeof sessionsEn, string>> = {
  "nav.sessions": "对话",
  sessions: "全部对话",
  "sessions.none": "还没有对话。",
  "sessions.turns": "轮数：{count}",
  "sessions.one": "一段对话",
  "sessions.goOn": "继续提问",
  "sessions.alone": "这次运行是独立的：提问时没有作为对话，因此无法继续。",
  "sessions.askAnew": "提一个新问题",
  "sessions.atWork": "这段对话中有一个问题正在运行。结束后显示各轮内容；它在运行列表中。",
  "sessions.all": "整段对话",
  "sessions.turn": "第 {turn} 轮",
  "sessions.run": "查看运行",
  "sessions.cutOff": "被中断",
  "sessions.noAnswer": "没有答案。",
  "ask.conversation": "作为可以继续的对话",
};
