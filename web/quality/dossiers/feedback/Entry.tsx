import type { DossierFeedback } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { Facts } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { bytes, moment } from '../../../kit/look/format.ts'
import { FEEDBACK, feedbackApi } from '../api.ts'
import css from '../dossiers.module.css'
import { stateNames } from '../words.ts'
import { Readers } from './Readers.tsx'

/** An entry with who reads it, its files, and the person's answer. */
export function Entry({ entry }: { entry: DossierFeedback }) {
  const me = useSession()
  const { id, type, category, reviewCategory, author, subject, files, mentions, followUpOn, state } = entry
  const sorted = [type, category, reviewCategory].flatMap((one) => (one ? [one.name] : []))
  return (
    <Stack gap={12}>
      <Readers visibility={entry.visibility} />
      <Text dir="auto" className={css.prose}>
        {entry.content}
      </Text>
      <Facts
        of={[
          ['By', `${author.name}, ${moment(entry.publishedAt ?? entry.createdAt)}`],
          ['About', subject.name],
          ['Sorted as', sorted.join(', ') || 'nothing'],
          ['State', stateNames[state]],
          ...(mentions.length ? [['Mentions', mentions.map(({ name }) => name).join(', ')] as [string, string]] : []),
          ...(followUpOn
            ? [['Follow up', `${writeDay(followUpOn)}, ${entry.followUpBy?.name ?? author.name}`] as [string, string]]
            : []),
        ]}
        width={96}
      />
      {files.map((file) => (
        <Group key={file.id} gap={8}>
          <ActButton
            variant="default"
            size="xs"
            reason={file.isGone ? 'Its owner has deleted the file.' : undefined}
            onClick={() => void save(id, file)}
          >{`${file.name}${file.isGone ? ', deleted by its owner' : `, ${bytes(file.size)}`}`}</ActButton>
        </Group>
      ))}
      {entry.acknowledgedAt && (
        <div>
          <Text c="dimmed" fz="xs">
            {subject.name} acknowledged it, {moment(entry.acknowledgedAt)}
          </Text>
          <Text dir="auto" className={css.prose}>
            {entry.answer || 'Without an answer.'}
          </Text>
        </div>
      )}
      {state === 'waiting' && subject.id === me.id && <Acknowledge entry={entry} />}
    </Stack>
  )
}

async function save(id: number, file: { id: number; name: string }): Promise<void> {
  const blob = await attempt(() => feedbackApi.feedbackFile({ id, fileId: file.id }), [])
  if (!blob) return
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click()
  URL.revokeObjectURL(url)
}

function Acknowledge({ entry: { id, version } }: { entry: DossierFeedback }) {
  const [answer, setAnswer] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    await attempt(() => feedbackApi.acknowledge({ id, answer, version }), FEEDBACK)
    setBusy(false)
  }
  return (
    <Stack gap={8}>
      <Textarea
        label="Your answer"
        description="Whoever reads the entry reads it"
        autosize
        minRows={2}
        dir="auto"
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      <Group>
        <Button loading={busy} onClick={() => void send()}>
          {answer.trim() ? 'Acknowledge and answer' : 'Acknowledge'}
        </Button>
      </Group>
    </Stack>
  )
}
