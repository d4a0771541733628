/** The units of the package that run Innkeeper: one process with the embedded database, or API nodes and workers. */
export const units = {
  single: 'innkeeper-single.service',
  api: 'innkeeper-api@1.service',
  worker: 'innkeeper-worker.service',
} as const
