import 'csstype'

declare module 'csstype' {
  // The names of the parameters must be those of the original.
  interface Properties<TLength, TTime> {
    [custom: `--${string}`]: TLength | TTime | string | number | undefined
  }
}
