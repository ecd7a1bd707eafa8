/** `demo` is what `npm start` loads; the others are for tests and measurements. */
export type DemoSize = 'demo' | 'small' | 'large' | 'very-large'

export type DemoShape = {
  people: number
  /** How many chapters stand on each level of the tree, from the national body down. */
  levels: readonly number[]
  groups: number
  /** Share of the people with an account to sign in with. */
  accounts: number
  /** Whether the audit log tells how everything came about; the big sizes leave it out. */
  history: boolean
}

export const demoShapes: Record<DemoSize, DemoShape> = {
  small: { people: 500, levels: [1, 4], groups: 20, accounts: 0.6, history: true },
  demo: { people: 2_400, levels: [1, 7, 32], groups: 36, accounts: 0.55, history: true },
  large: { people: 50_000, levels: [1, 7, 56, 536], groups: 3_000, accounts: 0.6, history: false },
  'very-large': { people: 1_000_000, levels: [1, 7, 49, 243, 1_200, 1_500], groups: 30_000, accounts: 0.35, history: false },
}

/** Years from the foundation to today. */
export const yearsOfHistory = 12
