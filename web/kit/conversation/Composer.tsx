import { Button, FileButton, Kbd, Popover, Text, Textarea } from '@mantine/core'
import { IconLock, IconPaperclip } from '@tabler/icons-react'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { ownStore } from '../frame/browserStore.ts'
import { useAct } from '../look/useAct.ts'
import css from './Composer.module.css'
import { FileChips } from './FileChips.tsx'
import { MentionList } from './MentionList.tsx'
import { mentionedIn, noDraft, readDraft, writtenDraft } from './mentions.ts'
import { type SearchPeople, useMentions } from './useMentions.ts'

interface Composed {
  text: string
  /** Ids of the people mentioned in the text. */
  mentions: number[]
  files: File[]
}
interface Props {
  /** The label of the field: "Answer to Mari Tveit". */
  label: string
  placeholder?: string
  /** The browser stores the draft under this name: "chat.58213". Use a `key` per name. */
  draftName: string
  search: SearchPeople
  /** On rejection, shows the error and keeps the text. */
  onSend: (composed: Composed) => Promise<unknown>
  verb?: string
  /** Marks the text as an internal note. */
  isNote?: boolean
  /** Why sending is disabled. */
  reason?: string
  /** The text goes without files: none can be attached. */
  noFiles?: boolean
}

/** A text field with files and mentions. Ctrl+Enter sends. A reload restores the draft, but not the files. */
export function Composer(props: Props) {
  const { label, placeholder, draftName, search, onSend, verb = 'Send', isNote, reason, noFiles = false } = props
  const store = ownStore(`draft.${draftName}`)
  const [draft, setDraft] = useState(() => readDraft(store.read()))
  const [files, setFiles] = useState<File[]>([])
  const { busy, run } = useAct()
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const keep = (next: typeof draft) => {
    setDraft(next)
    store.write(writtenDraft(next))
  }
  const add = (more: Iterable<File>) => setFiles([...files, ...more])
  const mentions = useMentions({
    field,
    text: draft.text,
    search,
    onPick: (text, person) => keep({ text, people: [...draft.people, person] }),
  })
  const isEmpty = draft.text.trim() === '' && files.length === 0
  const send = () => {
    if (isEmpty || reason !== undefined) return
    void run(async () => {
      await onSend({ text: draft.text.trim(), mentions: mentionedIn(draft.text, draft.people), files })
      keep(noDraft)
      setFiles([])
      field.current?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.onKey(event)) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent) => {
    if (noFiles || event.clipboardData.files.length === 0) return
    event.preventDefault()
    add(event.clipboardData.files)
  }
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    if (!noFiles) add(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button does the same
    <div
      className={css.composer}
      data-note={isNote || undefined}
      onDragOver={(e) => e.preventDefault()}
      onDrop={onDrop}
    >
      {isNote && (
        <Text className={css.note} fz="xs">
          <IconLock size={12} aria-hidden /> Internal note: only staff read it.
        </Text>
      )}
      <Popover opened={mentions.isOpen} position="top-start" withRoles={false} trapFocus={false} returnFocus={false}>
        <Popover.Target>
          <div>
            <Textarea
              ref={field}
              aria-label={label}
              aria-autocomplete="list"
              aria-haspopup="listbox"
              aria-controls={mentions.isOpen ? `${id}-people` : undefined}
              aria-activedescendant={mentions.isOpen ? `${id}-person-${mentions.nth}` : undefined}
              placeholder={placeholder}
              autosize
              minRows={2}
              maxRows={12}
              dir="auto"
              variant="unstyled"
              value={draft.text}
              disabled={reason !== undefined}
              onChange={({ currentTarget }) => {
                keep({ ...draft, text: currentTarget.value })
                mentions.look(currentTarget)
              }}
              onSelect={({ currentTarget }) => mentions.look(currentTarget)}
              onBlur={mentions.close}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
          </div>
        </Popover.Target>
        <Popover.Dropdown p={4}>
          <MentionList id={id} people={mentions.people} nth={mentions.nth} onPick={mentions.pick} />
        </Popover.Dropdown>
      </Popover>
      <FileChips files={files} onRemove={(gone) => setFiles(files.filter((file) => file !== gone))} />
      <div className={css.foot}>
        {!noFiles && (
          <FileButton multiple disabled={reason !== undefined} onChange={add}>
            {(button) => (
              <Button
                {...button}
                size="xs"
                variant="subtle"
                color="secondary"
                leftSection={<IconPaperclip size={14} />}
                className={css.attach}
              >
                Attach
              </Button>
            )}
          </FileButton>
        )}
        <Text c="dimmed" fz="xs" truncate>
          {reason ?? (draft.text ? 'Draft kept in this browser' : '@ mentions somebody')}
        </Text>
        <Button
          className={css.send}
          size="xs"
          loading={busy}
          disabled={isEmpty || reason !== undefined}
          rightSection={<Kbd visibleFrom="sm">Ctrl ↵</Kbd>}
          onClick={send}
        >
          {verb}
        </Button>
      </div>
    </div>
  )
}
