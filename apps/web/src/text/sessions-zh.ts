import type { sessionsEn } from "./sessions-en.js";

export const sessionsZh: Readonly<Record<keyof typeof sessionsEn, string>> = {
  "nav.sessions": "对话",
  sessions: "全部对话",
  "sessions.none": "还没有对话。",
  "sessions.turns": "轮数：{count}",
  "sessions.one": "一段对话",
  "sessions.goOn": "继续提问",
  "sessions.all": "整段对话",
  "sessions.turn": "第 {turn} 轮",
  "sessions.run": "查看运行",
  "sessions.cutOff": "被中断",
  "sessions.noAnswer": "没有答案。",
  "ask.conversation": "作为可以继续的对话",
};
