import type { Place } from '@innkeeper/contract/recovery/adoptions/shapes'
import { Group, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { adoptionsApi } from './api.ts'
import { touched } from './words.ts'

/** Websites that Innkeeper serves where they lay before. Until somebody accepts, each can be given back by itself. */
export const Places = ({ places }: { places: readonly Place[] }) => (
  <Section title="Taken over in place" hint="served by Innkeeper where they lie" pad={false}>
    <SectionTable
      label="Websites that were taken over in place"
      rows={places}
      keyOf={({ id }) => String(id)}
      empty="No website was taken over in place."
      columns={[
        {
          title: 'Website',
          cell: ({ domain, websiteId, status, account, reason }) => (
            <div>
              {status === 'undone' ? (
                <Text>{domain}</Text>
              ) : (
                <LinkTo to="/websites/$id" params={{ id: String(websiteId) }}>
                  {domain}
                </LinkTo>
              )}
              <Text c={reason ? 'red' : 'dimmed'} fz="xs">
                {reason ?? account}
              </Text>
            </div>
          ),
        },
        { title: 'Status', width: 180, cell: ({ status }) => <StatusBadge state={status} /> },
        { title: '', width: 210, cell: (place) => <Acts place={place} /> },
      ]}
    />
  </Section>
)

function Acts({ place: { id, domain, status } }: { place: Place }) {
  const lacking = useReason()
  if (status !== 'taken' && status !== 'failed') return null
  const accept = async () => {
    const sure = await confirm({
      title: `Accept ${domain}?`,
      text: 'The website becomes like any other. Afterwards it cannot be given back to its former configuration.',
      verb: 'Accept website',
    })
    if (sure) await attempt(() => adoptionsApi.acceptPlace({ id }), touched)
  }
  const giveBack = async () => {
    const sure = await confirm({
      title: `Give ${domain} back?`,
      text: 'Its former configuration serves it again. Its files stay as they are now; other websites are not touched.',
      verb: 'Give back',
      danger: true,
    })
    if (sure) await attempt(() => adoptionsApi.undoPlace({ id }), touched)
  }
  return (
    <Group gap={8} wrap="nowrap">
      {status === 'taken' && (
        <ActButton size="xs" reason={lacking(adoptionsApi.acceptPlace)} onClick={() => void accept()}>
          Accept…
        </ActButton>
      )}
      <ActButton size="xs" variant="default" reason={lacking(adoptionsApi.undoPlace)} onClick={() => void giveBack()}>
        Give back…
      </ActButton>
    </Group>
  )
}
