import type { Driver } from '../../kit/driver.ts'
import { purge } from '../../kit/host.ts'

/** Deletes entries of the trash for good. */
export const purgeTrash: Driver<'trash.purge'> = {
  async run({ input: { taken }, say, fence }) {
    fence()
    const count = await purge(taken)
    say(
      count
        ? `${count} ${count === 1 ? 'entry is' : 'entries are'} deleted for good`
        : 'nothing of it was in the trash any more',
    )
    return { gone: count }
  },
  undo: async ({ say }) => say('what is deleted for good cannot be restored'),
  inspect: async () => 'no', // a repeat is harmless
}
