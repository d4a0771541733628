import type { ArchiveImportView, PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { ownersApi } from '../../hosting/owners/api.ts'
import { plansApi } from '../../hosting/plans/api.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { archiveImportsApi } from './api.ts'
import { PlanLines } from './PlanLines.tsx'
import { touched } from './words.ts'

const PrintPlan = lazyPart<ComponentProps<typeof import('./PrintPlan.tsx').default>>(
  () => import('./PrintPlan.tsx'),
  () => null,
)

/** A line with what people have chosen on this page. */
const withChoice = (line: PlanLine, leaveOut: ReadonlySet<string>): PlanLine =>
  line.choice && leaveOut.has(line.key) ? { ...line, verdict: 'left out', notes: ['You leave it out'] } : line

/** Whose the websites become, with which plan, and which lines stay behind. */
export function PlanForm({ one }: { one: ArchiveImportView }) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const [ownerId, setOwner] = useState<number | null>(one.ownerId)
  const [planId, setPlan] = useState<number | null>(null)
  const [leaveOut, setLeaveOut] = useState<ReadonlySet<string>>(new Set())
  const [replace, setReplace] = useState<ReadonlySet<string>>(new Set())
  const [printed, setPrinted] = useState<readonly PlanLine[]>()
  const [refused, setRefused] = useState<Record<string, string>>({})
  const { data: drawn, error } = useQuery({
    ...archiveImportsApi.plan.query({
      id: one.id,
      userId: ownerId ?? undefined,
      plan: planId ?? undefined,
      ...(replace.size && { replace: [...replace] }),
    }),
    placeholderData: keepPreviousData,
  })
  const problems = { ...drawn?.problems, ...refused }
  const toggle = ({ key, optIn }: PlanLine) =>
    (optIn ? setReplace : setLeaveOut)((now) =>
      now.has(key) ? new Set([...now].filter((other) => other !== key)) : new Set([...now, key]),
    )
  const go = async () => {
    setRefused({})
    try {
      await archiveImportsApi.start({
        ...{ id: one.id, version: one.version, leaveOut: [...leaveOut], replace: [...replace] },
        ...{ userId: ownerId ?? 0, plan: planId ?? 0 },
      })
      await readAgain(touched)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || !thrown.body.fields) throw thrown
      setRefused(thrown.body.fields)
    }
  }
  return (
    <Stack gap={16}>
      <Section title="Whose it becomes">
        <Stack gap={14} maw={640}>
          <PickOne
            label="Owner"
            required
            placeholder="Search owners"
            call={ownersApi.list}
            nameOf={({ name }) => name}
            hint={({ email }) => email}
            value={ownerId}
            valueName={one.ownerName}
            onChange={setOwner}
            error={problems.userId}
            reason={lacking(ownersApi.list)}
          />
          <PickOne
            label="Plan"
            required
            description="Its limits hold for all websites of the archive, which share one account"
            placeholder="Search plans"
            call={plansApi.list}
            nameOf={({ name }) => name}
            value={planId}
            onChange={(id) => {
              setPlan(id)
              setRefused({})
            }}
            error={problems.plan}
            reason={lacking(plansApi.list)}
          />
          {problems.leaveOut && (
            <Text c="red" fz="sm" role="alert">
              {problems.leaveOut}
            </Text>
          )}
          {problems.serverId && (
            <Text c="red" fz="sm" role="alert">
              {problems.serverId}
            </Text>
          )}
          <Group gap={12}>
            <ActButton
              loading={busy}
              reason={
                lacking(archiveImportsApi.start) ??
                (ownerId === null || planId === null ? 'Choose an owner and a plan first.' : undefined)
              }
              onClick={() => void run(go)}
            >
              Start import
            </ActButton>
            <Text c="dimmed" fz="xs">
              {drawn?.username ? `The new account is ${drawn.username}. ` : ''}Afterwards you accept the import or roll
              it back as a whole.
            </Text>
          </Group>
        </Stack>
      </Section>
      <Section
        title="Plan"
        hint="What becomes of each thing in the archive"
        pad={false}
        aside={
          drawn && (
            <ActButton
              size="xs"
              variant="default"
              leftSection={<IconPrinter size={14} />}
              onClick={() => setPrinted(drawn.lines.map((line) => withChoice(line, leaveOut)))}
            >
              Print plan
            </ActButton>
          )
        }
      >
        {printed && <PrintPlan one={one} drawn={printed} done={() => setPrinted(undefined)} />}
        {error && <ErrorLine error={error} />}
        {drawn && <PlanLines lines={drawn.lines} leaveOut={leaveOut} replace={replace} onToggle={toggle} />}
      </Section>
    </Stack>
  )
}
