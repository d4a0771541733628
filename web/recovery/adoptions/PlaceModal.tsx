import type { PlacePlan } from '@innkeeper/contract/recovery/adoptions/shapes'
import { Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownersApi } from '../../hosting/owners/api.ts'
import { plansApi } from '../../hosting/plans/api.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { FileDiffs } from '../../kit/look/FileDiffs.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { adoptionsApi } from './api.ts'
import { touched } from './words.ts'

interface Props {
  id: number
  account: string
  website: string
  close: () => void
}

/** Shows each file that would change before people agree to take over a website where it lies. */
export function PlaceModal({ id, account, website, close }: Props) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const [userId, setOwner] = useState<number | null>(null)
  const [plan, setPlan] = useState<number | null>(null)
  const [agreed, setAgreed] = useState(false)
  const [refused, setRefused] = useState<Record<string, string>>({})
  const { data, error, isFetching } = useQuery({
    ...adoptionsApi.place.query({ id, account, website, userId: userId ?? undefined, plan: plan ?? undefined }),
    placeholderData: keepPreviousData,
  })
  const problems = { ...data?.problems, ...refused }
  const { userId: ofOwner, plan: ofPlan, ...others } = problems
  const go = async () => {
    if (!data) return
    const { seen, root, phpVersion, serves, redirects, application, until, renews } = data.facts
    setRefused({})
    try {
      await adoptionsApi.take({
        ...{ id, account, website, userId: userId ?? 0, plan: plan ?? 0 },
        ...{ seen, root, phpVersion: phpVersion ?? '', serves, redirects, application },
        ...(until && { certificate: renews ? 'renews' : 'stays' }),
      })
      await readAgain(touched)
      close()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setRefused(thrown.body.fields ?? { '': thrown.message })
    }
  }
  return (
    <Dialog opened onClose={close} title={`Take over ${website} where it lies`} size={860}>
      <Stack gap={16}>
        <PickOne
          label="Owner"
          required
          placeholder="Search owners"
          call={ownersApi.list}
          nameOf={({ name }) => name}
          hint={({ email }) => email}
          value={userId}
          onChange={setOwner}
          error={ofOwner}
          reason={lacking(ownersApi.list)}
        />
        <PickOne
          label="Plan"
          required
          description="Its limits hold for all websites of the account"
          placeholder="Search plans"
          call={plansApi.list}
          nameOf={({ name }) => name}
          value={plan}
          onChange={(one) => {
            setPlan(one)
            setRefused({})
          }}
          error={ofPlan}
          reason={lacking(plansApi.list)}
        />
        {Object.values(others).map((text) => (
          <Text key={text} c="red" fz="sm" role="alert">
            {text}
          </Text>
        ))}
        {error && <ErrorLine error={error} />}
        {data && <What plan={data} isWhole={userId !== null && plan !== null} />}
        {data && data.facts.obstacles.length === 0 && (
          <Checkbox
            label="I have read what changes"
            checked={agreed}
            onChange={(event) => setAgreed(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            loading={busy || isFetching}
            reason={
              lacking(adoptionsApi.take) ??
              (data?.facts.obstacles.length
                ? 'Bring it side by side instead.'
                : userId === null || plan === null
                  ? 'Choose an owner and a plan first.'
                  : agreed && data?.facts.phpVersion
                    ? undefined
                    : 'Read what changes first.')
            }
            onClick={() => void run(go)}
          >
            Take over
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

function What({ plan: { facts, acts, files }, isWhole }: { plan: PlacePlan; isWhole: boolean }) {
  if (facts.obstacles.length)
    return (
      <Lines
        title="It cannot be taken over where it lies. Bring it to a server of Innkeeper instead."
        of={facts.obstacles}
      />
    )
  return (
    <>
      {facts.lost.length > 0 && (
        <Lines title="Directives of its configuration that Innkeeper’s has not" of={facts.lost} />
      )}
      {acts.length > 0 && <Lines title="Besides files" of={acts} />}
      {isWhole ? (
        <FileDiffs files={files} none="No file would change." />
      ) : (
        <Text c="dimmed" fz="sm">
          Choose an owner and a plan to see each file that would change.
        </Text>
      )}
    </>
  )
}

const Lines = ({ title, of }: { title: string; of: readonly string[] }) => (
  <div>
    <Text fz="sm" fw={600} mb={4}>
      {title}
    </Text>
    <List size="sm">
      {of.map((line) => (
        <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
          {line}
        </List.Item>
      ))}
    </List>
  </div>
)
