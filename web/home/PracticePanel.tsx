import type { Practice } from '@innkeeper/contract/machines/servers/shapes'
import { Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { queryClient } from '../kit/api/queries.ts'
import { confirm } from '../kit/dialogs/dialogs.ts'
import { Section } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { Linkified } from '../kit/look/Linkified.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { useAct } from '../kit/look/useAct.ts'
import { practiceApi } from '../machines/servers/api.ts'

const AddPractice = lazy(async () => ({ default: (await import('./AddPractice.tsx')).AddPractice }))

const words: Record<Practice['state'], { state: string; label: string }> = {
  off: { state: 'none', label: 'Off' },
  building: { state: 'building', label: 'Building' },
  booting: { state: 'booting', label: 'Booting' },
  enrolling: { state: 'enrolling', label: 'Enrolling' },
  ready: { state: 'active', label: 'Ready' },
  unable: { state: 'failed', label: 'Not possible here' },
  'here-offered': { state: 'pending', label: 'Not possible here' },
}
const coming = ['building', 'booting', 'enrolling']

/** Progress of the practice servers; renders nothing where none are configured. */
export function PracticePanel() {
  const { data } = useQuery({
    ...practiceApi.practice.query(),
    refetchInterval: ({ state }) => (coming.includes(state.data?.state ?? '') ? 2000 : false),
  })
  const lacking = useReason()
  if (!data || data.state === 'off') return null
  const { state, label } = words[data.state]
  return (
    <Section title="Practice servers" aside={<StatusBadge state={state} label={label} />}>
      {coming.includes(data.state) && (
        <Progress
          mb={10}
          size={3}
          value={(100 * data.done) / Math.max(1, data.total)}
          color="info.5"
          aria-label="Progress of the practice servers"
        />
      )}
      <Group justify="space-between" gap={12}>
        <Text style={{ flex: '1 1 320px', overflowWrap: 'anywhere' }}>
          <Linkified text={data.text} />
          {data.state === 'ready' && data.previewPort && (
            <>
              {'. '}
              Their websites open at <Mono>{`http://<domain>.localhost:${data.previewPort}`}</Mono>.
            </>
          )}
        </Text>
        {data.state === 'here-offered' && <UseThisMachine />}
        {data.more && (
          <Suspense fallback={null}>
            <AddPractice reason={lacking(practiceApi.add)} />
          </Suspense>
        )}
      </Group>
    </Section>
  )
}

function UseThisMachine() {
  const { busy, run } = useAct()
  const reason = useReason()(practiceApi.here)
  const take = async () => {
    const answer = await confirm({
      title: 'Use this machine as the practice server?',
      text: 'Innkeeper installs nginx and PHP with apt on its own machine, and serves practice websites from it on port 80. It does not uninstall them by itself.',
      verb: 'Use this machine',
    })
    if (!answer) return
    await practiceApi.here()
    await queryClient.invalidateQueries({ queryKey: practiceApi.practice.key })
  }
  return (
    <ActButton loading={busy} reason={reason} onClick={() => void run(take)}>
      Use this machine as the practice server
    </ActButton>
  )
}
