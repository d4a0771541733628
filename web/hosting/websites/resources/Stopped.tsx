import type { StoppedGroup } from '@innkeeper/contract/hosting/websites'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listed, useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { Results } from '../../../kit/list/BulkModal.tsx'
import type { RowResult } from '../../../kit/list/bulk.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, counted } from '../../../kit/look/format.ts'
import { orchestratorApi } from '../api.ts'
import css from './Resources.module.css'

/**
 * Stopped websites grouped by error message, each group with a retry for all. Renders nothing without such websites.
 */
export function Stopped() {
  const { data } = useQuery(orchestratorApi.stopped.query({}))
  const [asked, setAsked] = useState<StoppedGroup>()
  const lacks = useReason()(orchestratorApi.retryStopped)
  if (!data?.items.length) return null
  const all = data.items.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={css.above}>
      <Section title="Stopped, by error" hint={counted(all, ['action', 'actions'])} pad={false}>
        <ul className={css.stopped}>
          {data.items.map((group) => (
            <li key={group.key}>
              <div style={{ minWidth: 0 }}>
                <Text lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                  {group.reason}
                </Text>
                <Text c="dimmed" fz="xs" truncate>
                  {group.title}: {namesOf(group)}
                  {group.lastAt && `, last ${ago(group.lastAt)}`}
                </Text>
              </div>
              <ActButton size="xs" variant="default" reason={lacks} onClick={() => setAsked(group)}>
                Retry {group.count > 1 ? `all ${group.count}` : ''}
              </ActButton>
            </li>
          ))}
        </ul>
        {asked && <RetryModal group={asked} onClose={() => setAsked(undefined)} />}
      </Section>
    </div>
  )
}

function namesOf({ examples, count }: StoppedGroup): string {
  const names = listed(examples.map(({ domain }) => domain))
  const rest = count - examples.length
  return rest > 0 ? `${names} and ${counted(rest, ['other', 'others'])}` : names
}

function RetryModal({ group, onClose }: { group: StoppedGroup; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [results, setResults] = useState<RowResult[]>()
  const retry = async () => {
    setBusy(true)
    const answer = await attempt(() => orchestratorApi.retryStopped({ key: group.key }), ['workflows', 'websites'])
    setBusy(false)
    if (!answer) return onClose() // `attempt` has shown the error
    setResults(
      answer.items.map(({ actionId, domain, error }) => ({ id: actionId, name: domain, ...(error && { error }) })),
    )
    void readAgain(['workflows'])
  }
  const title = `Retry ${counted(group.count, ['action', 'actions'])}?`
  return (
    <Dialog opened onClose={() => busy || onClose()} title={results ? 'Retried' : title} size={560}>
      <Stack gap="md">
        {results ? (
          <Results results={results} />
        ) : (
          <Text>
            {group.title} of {namesOf(group)} runs again where it stopped. Each workflow continues from there.
          </Text>
        )}
        <Group justify="flex-end" gap={8}>
          <ActButton variant="default" onClick={onClose} reason={busy ? 'The actions are being started.' : undefined}>
            {results ? 'Close' : 'Cancel'}
          </ActButton>
          {!results && (
            <Button onClick={() => void retry()} loading={busy} data-autofocus>
              {group.count === 1 ? 'Retry action' : 'Retry actions'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
