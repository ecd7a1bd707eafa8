/** One operator command; `run` resolves with the exit code and throws errors whose message says what to do. */
export type Command = { usage: string; summary: string; run: (args: string[]) => Promise<number> }
