/** Conversations. */
export const sessionsEn = {
  "nav.sessions": "Conversations",
  sessions: "Conversations",
  "sessions.none": "There are no conversations yet.",
  "sessions.turns": "turns: {count}",
  "sessions.one": "Conversation",
  "sessions.goOn": "Go on",
  "sessions.all": "The whole conversation",
  "sessions.turn": "Turn {turn}",
  "sessions.run": "The run",
  "sessions.cutOff": "cut off",
  "sessions.noAnswer": "There was no answer.",
  "ask.conversation": "as a conversation that can go on",
} as const;
