import type { TalkPage } from '@innkeeper/contract/quality/dossiers/shapes'
import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { talksApi } from '../api.ts'
import css from '../dossiers.module.css'
import { stateOfTalk } from '../words.ts'
import { AGAIN, Released } from './ReleasedTalk.tsx'

export default numbered('talkId', TalkScreen)

function TalkScreen({ id }: { id: number }) {
  const query = useQuery(talksApi.talk.query({ id }))
  const talk = query.data
  if (!talk) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      title={talk.title}
      meta={`${talk.lead.name} and ${talk.person.name}, ${writeDay(talk.heldOn)}. ${stateOfTalk(talk)}`}
      actions={
        <Button variant="default" onClick={() => globalThis.print()}>
          Print
        </Button>
      }
    >
      {talk.state === 'preparing' && <Prepare key={talk.id} talk={talk} />}
      {talk.state !== 'preparing' && (talk.releasedAt ? <Released talk={talk} /> : <CalledOff />)}
    </Screen>
  )
}

const CalledOff = () => (
  <Text c="dimmed">
    The talk was called off before both sides were ready. Nobody reads the answers of the other side.
  </Text>
)

/** One's own answers. The other side sees them when both are ready. */
function Prepare({ talk }: { talk: TalkPage }) {
  const me = useSession()
  const other = talk.lead.id === me.id ? talk.person : talk.lead
  const own = talk.answers.find(({ by }) => by.id === me.id)
  const [texts, setTexts] = useState<string[]>(talk.questions.map((_, n) => own?.texts[n] ?? ''))
  const [isReady, setReady] = useState(talk.ready.includes(me.id))
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await attempt(() => talksApi.prepareTalk({ id: talk.id, answers: texts, isReady }), AGAIN)
    setBusy(false)
  }
  const callOff = async () => {
    const text = `${other.name} is notified. The saved answers stay unread.`
    if (await confirm({ title: 'Call the talk off?', text, verb: 'Call off', danger: true }))
      await attempt(() => talksApi.closeTalk({ id: talk.id, goals: [], version: talk.version }), AGAIN)
  }
  return (
    <Stack gap={18} maw={720} className={css.paper}>
      <Text c="dimmed">
        {talk.ready.includes(other.id) ? `${other.name} is ready.` : `${other.name} is not ready yet.`} Nobody reads
        your answers before both of you are ready.
      </Text>
      {talk.questions.map((question, n) => (
        <Textarea
          // biome-ignore lint/suspicious/noArrayIndexKey: questions are frozen
          key={n}
          label={question}
          autosize
          minRows={3}
          dir="auto"
          value={texts[n] ?? ''}
          onChange={({ currentTarget: { value } }) => setTexts((now) => now.with(n, value))}
        />
      ))}
      <Checkbox
        label="I am ready: release my answers together with the other side’s"
        checked={isReady}
        onChange={(event) => setReady(event.currentTarget.checked)}
      />
      <Group>
        <Button loading={busy} onClick={() => void save()}>
          {isReady ? 'Save and release' : 'Save answers'}
        </Button>
        {talk.lead.id === me.id && (
          <Button variant="default" onClick={() => void callOff()}>
            Call off…
          </Button>
        )}
      </Group>
    </Stack>
  )
}
