import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { moment } from '../../kit/look/format.ts'
import { leavesApi } from './api.ts'
import { absenceTexts } from './texts.ts'

/** Subscription to the person's shifts, events and leaves by a secret calendar address, which can be revoked. */
export function Feed() {
  const words = absenceTexts()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarShare size={15} />} onClick={() => setOpened(true)}>
        {words.feed}…
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={words.feed} size={520}>
        <Address />
      </Dialog>
    </>
  )
}

function Address() {
  const words = absenceTexts()
  const { data: feed, error } = useQuery(leavesApi.feed.query())
  const [address, setAddress] = useState<string>()
  const [repeatables, setRepeatables] = useState(true)
  const [holidays, setHolidays] = useState(false)
  const chosen = `${repeatables ? '' : '&repeatables=false'}${holidays ? '&holidays=true' : ''}`
  if (error && !feed) return <ErrorLine error={error} />
  const open = async () => {
    if (feed?.active) {
      const question = {
        title: words.anotherTitle,
        text: words.anotherText,
        verb: words.another,
      }
      if (!(await confirm(question))) return
    }
    const made = await attempt(() => leavesApi.openFeed({}), ['leaves'])
    if (made) setAddress(new URL(made.path, window.location.origin).href)
  }
  const end = async () => {
    const done = await succeeds(() => leavesApi.closeFeed(), ['leaves'])
    setAddress(undefined)
    if (done) toast.success(words.feedEnded, words.feedEndedText)
  }
  return (
    <Stack gap={14}>
      <Text>{words.feedText}</Text>
      {address ? (
        <>
          <Group gap={18}>
            <Checkbox
              label={words.repeatables}
              checked={repeatables}
              onChange={({ currentTarget }) => setRepeatables(currentTarget.checked)}
            />
            <Checkbox
              label={words.holidays}
              checked={holidays}
              onChange={({ currentTarget }) => setHolidays(currentTarget.checked)}
            />
          </Group>
          <CodeBlock label={words.address}>{`${address}${chosen}`}</CodeBlock>
          <Text c="dimmed" fz="xs">
            {words.shownOnce}
          </Text>
        </>
      ) : (
        <Text c="dimmed">
          {feed?.active && feed.createdAt
            ? words.feedOpen(
                moment(feed.createdAt),
                feed.lastReadAt ? words.lastRead(moment(feed.lastReadAt)) : words.notRead,
              )
            : words.feedClosed}
        </Text>
      )}
      <Group gap={8} justify="flex-end">
        {feed?.active && (
          <Button variant="default" color="error" onClick={() => void end()}>
            {words.endFeed}
          </Button>
        )}
        {!address && <Button onClick={() => void open()}>{feed?.active ? `${words.another}…` : words.openFeed}</Button>}
      </Group>
    </Stack>
  )
}
