/** Conversations. */
export const sessionsEn = {
  "nav.sessions": "Conversations",
  sessions: "Conversations",
  "sessions.none": "There are no conversations yet.",
  "sessions.turns": "turns: {count}",
  "sessions.one": "Conversation",
  "sessions.goOn": "Go on",
  "sessions.alone": "This run stands alone: it was not asked as a conversation, so there is nothing to go on with.",
  "sessions.askAnew": "Ask something new",
  "sessions.atWork": "A question of this conversation is at work. Its turns are shown when it is over; it is in the list of runs.",
  "sessions.all": "The whole conversation",
  "sessions.turn": "Turn {turn}",
  "sessions.run": "The run",
  "sessions.cutOff": "cut off",
  "sessions.noAnswer": "There was no answer.",
  "ask.conversation": "as a conversation that can go on",
} as const;
