import type { Overview } from '@innkeeper/contract/recovery/backups/shapes'
import { Text } from '@mantine/core'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { count } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { When } from '../../kit/look/When.tsx'

interface Props {
  lacking: Overview['lacking']
  /** How many websites have no good backup; the list has the ones that wait longest. */
  total: number
  close: () => void
}

/** The websites without a good backup, those without any first. */
const LackingModal = ({ lacking, total, close }: Props) => (
  <Dialog opened onClose={close} title="Without a good backup" size="lg">
    {total > lacking.length && (
      <Text c="dimmed" mb={10}>
        The {count(lacking.length)} that wait longest, of {count(total)}. A schedule of the server backs up all its
        websites.
      </Text>
    )}
    <SectionTable
      label="Websites without a good backup"
      edges={false}
      maxHeight="60vh"
      rows={lacking}
      keyOf={({ websiteId }) => websiteId}
      columns={[
        {
          title: 'Website',
          cell: ({ websiteId, domain }) => (
            <LinkTo to="/websites/$id" params={{ id: String(websiteId) }} onClick={close}>
              {domain}
            </LinkTo>
          ),
        },
        {
          title: 'Last good backup',
          width: 160,
          cell: ({ lastAt }) => (lastAt ? <When at={lastAt} /> : <Text c="dimmed">none yet</Text>),
        },
      ]}
    />
  </Dialog>
)
export default LackingModal
