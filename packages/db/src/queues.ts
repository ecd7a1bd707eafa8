/** Job queues by name; ids only travel in them. Retries back off; what still fails lands in its dead-letter queue. */
export const queues = {
  dead: {},
  imports: { retryLimit: 50, retryDelay: 1, expireInSeconds: 3600, heartbeatSeconds: 10, deadLetter: 'dead' },
  /** Questions that take longer than a page waits for, and reports that are mailed. */
  reports: { retryLimit: 3, retryDelay: 5, expireInSeconds: 900, heartbeatSeconds: 10, deadLetter: 'dead' },
  exports: { retryLimit: 3, retryDelay: 2, expireInSeconds: 1800, heartbeatSeconds: 10, deadLetter: 'dead' },
  bulk: { retryLimit: 10, retryDelay: 1, expireInSeconds: 3600, heartbeatSeconds: 10, deadLetter: 'dead' },
  /** Tells whom a comment mentions. */
  comments: { retryLimit: 5, retryDelay: 30, retryBackoff: true, expireInSeconds: 300, deadLetter: 'dead' },
  /** Tells whom a note mentions. */
  notes: { retryLimit: 5, retryDelay: 30, retryBackoff: true, expireInSeconds: 300, deadLetter: 'dead' },
  mail: { retryLimit: 8, retryDelay: 30, retryBackoff: true, expireInSeconds: 120, deadLetter: 'dead' },
  /** What is asked of the payment provider: to read a payment anew, to charge a saved card, to give money back. */
  payments: { retryLimit: 20, retryDelay: 2, retryBackoff: true, expireInSeconds: 120, deadLetter: 'dead' },
  /** The daily run of memberships, which goes on where it was when a worker ends. */
  memberships: { retryLimit: 20, retryDelay: 2, retryBackoff: true, expireInSeconds: 3600, heartbeatSeconds: 10, deadLetter: 'dead' },
  /** The daily run of recurring gifts and pledges, which goes on where it was when a worker ends. */
  giving: { retryLimit: 20, retryDelay: 2, retryBackoff: true, expireInSeconds: 3600, heartbeatSeconds: 10, deadLetter: 'dead' },
  /** Ends holds and offers of seats whose time is over. */
  events: { retryLimit: 0, expireInSeconds: 300 },
  /** Lets people enter automations and takes their steps; the next minute goes on where one ended. */
  automations: { retryLimit: 0, expireInSeconds: 1200 },
  /** Runs of connections, which go on where they were when a worker ends. */
  syncs: { retryLimit: 50, retryDelay: 1, expireInSeconds: 3600, heartbeatSeconds: 10, deadLetter: 'dead' },
  /** Looks every minute which connections are due. */
  'due-syncs': { retryLimit: 0, expireInSeconds: 300 },
  /** Every 15 minutes: how old the data of connections is, and who wants to be told of a metric. */
  metrics: { retryLimit: 0, expireInSeconds: 600 },
  /** Every hour: what moves money and mail as a connection, and its figures of the last days. */
  figures: { retryLimit: 0, expireInSeconds: 1800 },
  counts: { retryLimit: 0, expireInSeconds: 1200 },
  /** Looks every minute which moments of organisations' schedules have come. */
  schedules: { retryLimit: 0, expireInSeconds: 300 },
  scheduled: { retryLimit: 5, retryDelay: 30, retryBackoff: true, expireInSeconds: 1800, heartbeatSeconds: 10, deadLetter: 'dead' },
  files: { retryLimit: 0, expireInSeconds: 1200 },
  daily: { retryLimit: 3, retryDelay: 60, expireInSeconds: 1800, deadLetter: 'dead' },
} as const

export type QueueName = keyof typeof queues
