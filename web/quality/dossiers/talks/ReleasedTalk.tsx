import type { TalkPage } from '@innkeeper/contract/quality/dossiers/shapes'
import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { talksApi } from '../api.ts'
import css from '../dossiers.module.css'

export const AGAIN = ['dossierFeedback', 'dossiers']

/** Both answers to each question, and the goals: one clean page for the printer. */
export function Released({ talk }: { talk: TalkPage }) {
  const me = useSession()
  return (
    <Stack gap={20} maw={820} className={css.paper}>
      <header className={css.paperHead}>
        <Title order={1} fz="xl">
          {talk.title}
        </Title>
        <Text>
          {talk.lead.name} and {talk.person.name}, {writeDay(talk.heldOn)}
        </Text>
      </header>
      {talk.questions.map((question, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: questions are frozen
        <section key={n}>
          <Title order={2} fz="md" mb={6}>
            {question}
          </Title>
          {talk.answers.map(({ by, texts }) => (
            <div key={by.id}>
              <Text c="dimmed" fz="xs">
                {by.name}
              </Text>
              <Text dir="auto" className={css.prose} mb={8}>
                {texts[n] || 'No answer.'}
              </Text>
            </div>
          ))}
        </section>
      ))}
      {talk.state === 'closed' || talk.lead.id !== me.id ? <Goals goals={talk.goals} /> : <Close talk={talk} />}
    </Stack>
  )
}

const Goals = ({ goals }: { goals: readonly string[] }) => (
  <section>
    <Title order={2} fz="md" mb={6}>
      Goals agreed
    </Title>
    {goals.length ? (
      <ul>
        {goals.map((goal) => (
          <li key={goal}>{goal}</li>
        ))}
      </ul>
    ) : (
      <Text c="dimmed">None yet.</Text>
    )}
  </section>
)

function Close({ talk }: { talk: TalkPage }) {
  const [text, setText] = useState(talk.goals.join('\n'))
  const goals = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return (
    <Stack gap={8}>
      <Textarea
        label="Goals agreed"
        description="One on each line"
        autosize
        minRows={3}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group>
        <Button
          onClick={() => void attempt(() => talksApi.closeTalk({ id: talk.id, goals, version: talk.version }), AGAIN)}
        >
          Close the talk
        </Button>
      </Group>
    </Stack>
  )
}
