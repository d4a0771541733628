import {
  ActionIcon,
  Alert,
  Button,
  CopyButton,
  Group,
  List,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useStore } from '../frame/store.ts'
import { frameTexts } from '../frame/texts.ts'
import { Linkified } from '../look/Linkified.tsx'
import { Mono } from '../look/Mono.tsx'
import { kitWords } from '../look/texts.ts'
import { Dialog } from './Dialog.tsx'
import css from './Dialogs.module.css'
import { type Answer, type Confirm, type ConfirmByName, dialogStore, type OpenDialog } from './dialogs.ts'

/** Renders the shared dialogs; RP9-004: none is wider than 600 px. */
export default function Dialogs() {
  const dialog = useStore(dialogStore)[0]
  if (!dialog) return null
  const dismiss = () => {
    dialogStore.remove(dialog.id)
    if (dialog.kind === 'confirm') dialog.done(undefined)
    else if (dialog.kind === 'confirm-by-name') dialog.done(false)
    else dialog.done()
  }
  return (
    <Dialog
      key={dialog.id}
      opened
      onClose={dismiss}
      title={dialog.title}
      size={520}
      classNames={{ content: css.dialog }}
      withCloseButton={dialog.kind === 'confirm-by-name'}
    >
      <Body dialog={dialog} dismiss={dismiss} />
    </Dialog>
  )
}

function Body({ dialog, dismiss }: { dialog: OpenDialog; dismiss: () => void }) {
  const answer = (act: () => void) => {
    dialogStore.remove(dialog.id)
    act()
  }
  if (dialog.kind === 'confirm') return <Ask {...dialog} dismiss={dismiss} done={(a) => answer(() => dialog.done(a))} />
  if (dialog.kind === 'confirm-by-name')
    return <AskByName {...dialog} dismiss={dismiss} done={() => answer(() => dialog.done(true))} />
  return (
    <Stack gap="md">
      <Alert color={dialog.kind} variant="light" p="sm">
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          <Linkified text={dialog.messages.join('\n')} />
        </Text>
      </Alert>
      <Group justify="space-between">
        <Text c="dimmed" fz="xs">
          {dialog.requestId && <RequestId id={dialog.requestId} />}
        </Text>
        <Button data-autofocus variant="default" ml="auto" onClick={dismiss}>
          {kitWords().close}
        </Button>
      </Group>
    </Stack>
  )
}

/** The id that the journal and the action log of Innkeeper have, too. */
const RequestId = ({ id }: { id: string }) => (
  <CopyButton value={id}>
    {({ copied, copy }) => (
      <Group component="span" gap={4} wrap="nowrap">
        <span>
          {frameTexts().requestId} <Mono>{id}</Mono>
        </span>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={copied ? kitWords().copied : frameTexts().copyRequestId}
          onClick={copy}
        >
          {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
        </ActionIcon>
      </Group>
    )}
  </CopyButton>
)

const submit = (act: () => void) => (event: FormEvent) => {
  event.preventDefault()
  act()
}

function Ask({
  text,
  verb,
  danger,
  reason,
  dismiss,
  done,
}: Confirm & { dismiss: () => void; done: (answer: Answer) => void }) {
  const [typed, setTyped] = useState('')
  const ready = !reason?.required || typed.trim() !== ''
  return (
    <form onSubmit={submit(() => ready && done({ reason: typed.trim() }))}>
      <Stack gap="md">
        {text && <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>}
        {reason && (
          <Textarea
            data-autofocus
            label={reason.label}
            required={reason.required}
            autosize
            minRows={2}
            maxLength={500}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={dismiss}>
            {kitWords().cancel}
          </Button>
          <Button type="submit" color={danger ? 'error' : undefined} disabled={!ready} data-autofocus={!reason}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function AskByName({
  name,
  goes,
  stays,
  verb,
  choice,
  dismiss,
  done,
}: ConfirmByName & { dismiss: () => void; done: () => void }) {
  const [typed, setTyped] = useState('')
  const same = typed.trim() === name
  const words = frameTexts()
  return (
    <form onSubmit={submit(() => same && done())}>
      <Stack gap="md">
        <div>
          <Text mb={6}>{words.deletes}</Text>
          <List spacing={3}>
            {goes.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
        </div>
        {stays && <Text c="dimmed">{stays}</Text>}
        {choice && (
          <NativeSelect
            label={choice.label}
            data={choice.options}
            onChange={(event) => choice.onChange(event.currentTarget.value)}
          />
        )}
        <TextInput
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          label={
            <>
              {words.typeIt} <Mono fw={600}>{name}</Mono> {words.toConfirm}
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          error={typed && !name.startsWith(typed.trim()) ? words.notTheName : undefined}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={dismiss}>
            {kitWords().cancel}
          </Button>
          <Button type="submit" color="error" disabled={!same}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
