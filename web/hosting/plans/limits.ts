import { bytes, count, counted } from '../../kit/look/format.ts'

const MIB = 1024 * 1024

/** "10 GB" for the plan's MiB. */
export const size = (mib: number): string => bytes(mib * MIB)

/** Where the disk limit is a figure to measure by, because the server has no quotas. */
export const measuredOn = ({ diskMeasured }: { diskMeasured: number }): string =>
  `not enforced on ${counted(diskMeasured, ['server', 'servers'])}`

interface Limits {
  diskMb: number
  memoryMb: number
  databases: number
  mailboxes: number
}
/** The headings of the figures that people compare, in the order of the table. */
export const headings = ['Disk', 'Memory', 'Databases', 'Mailboxes'] as const
export const figures = ({ diskMb, memoryMb, databases, mailboxes }: Limits): string[] => [
  size(diskMb),
  size(memoryMb),
  count(databases),
  count(mailboxes),
]

/** "10 GB, 512 MB memory, 5 databases, 25 mailboxes" */
export const inWords = (plan: Limits): string => {
  const [disk, memory] = figures(plan)
  const databases = counted(plan.databases, ['database', 'databases'])
  return `${disk}, ${memory} memory, ${databases}, ${counted(plan.mailboxes, ['mailbox', 'mailboxes'])}`
}
