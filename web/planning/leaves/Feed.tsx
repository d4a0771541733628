import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { moment } from '../../kit/look/format.ts'
import { leavesApi } from './api.ts'

/** Subscription to the person's shifts, events and leaves by a secret calendar address, which can be revoked. */
export function Feed() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarShare size={15} />} onClick={() => setOpened(true)}>
        Calendar feed…
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Calendar feed" size={520}>
        <Address />
      </Modal>
    </>
  )
}

function Address() {
  const { data: feed, error } = useQuery(leavesApi.feed.query())
  const [address, setAddress] = useState<string>()
  const [repeatables, setRepeatables] = useState(true)
  const [holidays, setHolidays] = useState(false)
  const chosen = `${repeatables ? '' : '&repeatables=false'}${holidays ? '&holidays=true' : ''}`
  if (error && !feed) return <ErrorLine error={error} />
  const open = async () => {
    if (feed?.active) {
      const question = {
        title: 'Make another address?',
        text: 'The former address stops working: enter the new one in every calendar that used it.',
        verb: 'Make another address',
      }
      if (!(await confirm(question))) return
    }
    const made = await attempt(() => leavesApi.openFeed({}), ['leaves'])
    if (made) setAddress(new URL(made.path, window.location.origin).href)
  }
  const end = async () => {
    const done = await succeeds(() => leavesApi.closeFeed(), ['leaves'])
    setAddress(undefined)
    if (done) toast.success('The feed has ended', 'Its address no longer works.')
  }
  return (
    <Stack gap={14}>
      <Text>
        Subscribe to this address in your calendar program to see your shifts, events and leaves there; the address says
        whether repeatable events and holidays are among them. Whoever has the address sees them too. The address stops
        working when you sign out everywhere, when your password changes and when you lose rights.
      </Text>
      {address ? (
        <>
          <Group gap={18}>
            <Checkbox
              label="Repeatable events"
              checked={repeatables}
              onChange={({ currentTarget }) => setRepeatables(currentTarget.checked)}
            />
            <Checkbox
              label="Holidays"
              checked={holidays}
              onChange={({ currentTarget }) => setHolidays(currentTarget.checked)}
            />
          </Group>
          <CodeBlock label="address of the feed">{`${address}${chosen}`}</CodeBlock>
          <Text c="dimmed" fz="xs">
            It is shown only once: Innkeeper stores only its hash.
          </Text>
        </>
      ) : (
        <Text c="dimmed">
          {feed?.active && feed.createdAt
            ? `The feed is open since ${moment(feed.createdAt)}, ${feed.lastReadAt ? `last read ${moment(feed.lastReadAt)}` : 'not read yet'}.`
            : 'The feed is closed.'}
        </Text>
      )}
      <Group gap={8} justify="flex-end">
        {feed?.active && (
          <Button variant="default" color="error" onClick={() => void end()}>
            End the feed
          </Button>
        )}
        {!address && (
          <Button onClick={() => void open()}>{feed?.active ? 'Make another address…' : 'Open the feed'}</Button>
        )}
      </Group>
    </Stack>
  )
}
