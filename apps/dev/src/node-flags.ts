/**
 * How a server and a worker are started, here as in docs/operators/install.md: with a small space for young objects. Node's own choice of
 * 64 MB and more is kept by the process after the first crowd, and answers come no faster for it; half of ours, and a fifth of the time goes into
 * collecting garbage.
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=8']
