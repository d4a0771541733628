import {
  type DayOrder,
  type ImportField,
  importFields,
  type KnownItems,
  knownItems,
  type Tracker,
} from '@innkeeper/contract/desk/trackers/values'
import { Button, Group, List, Select, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { apiOf, hintOf } from '../api.ts'
import { importPath, words } from '../trackerInfo.ts'
import { reportsOf, summaryOf, type Tried, whyNot, withField } from './tried.ts'

interface Choice {
  columns?: (ImportField | null)[]
  dayOrder?: DayOrder
  known: KnownItems
}

const fieldWords = (field: string) => `${field[0]?.toUpperCase()}${field.slice(1).replaceAll('-', ' ')}`
const fieldOptions = importFields.map((field) => ({ value: field, label: fieldWords(field) }))
const knownWords: Record<KnownItems, string> = {
  skip: 'Leave them as they are',
  update: 'Change the fields that the file has',
  add: 'Add them again',
}

interface Props {
  tracker: Tracker
  file: { name: string; text: string }
  close: () => void
}

/** What a file would bring: each change of the columns or rules tries the file again. */
export default function ImportModal({ tracker, file, close }: Props) {
  const api = apiOf(tracker)
  const navigate = useNavigate()
  const { one, many } = words[tracker]
  const { busy, run } = useAct()
  const [choice, setChoice] = useState<Choice>({ known: 'skip' })
  const [tried, setTried] = useState<Tried>()
  const [isTrying, setIsTrying] = useState(false)
  const latest = useRef(0)
  /** The choice whose effect the dialog shows. */
  const shown = useRef(choice)
  const dryRun = async (next: Choice) => {
    const turn = ++latest.current
    setIsTrying(true)
    const answer = await attempt(() => api.import({ ...next, text: file.text, isDryRun: true }), [])
    if (turn !== latest.current) return // another choice is being tried
    setIsTrying(false)
    if (answer) {
      setTried(answer)
      shown.current = next
    } else if (tried) setChoice(shown.current)
    else close()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file is tried once when the dialog opens
  useEffect(() => {
    void dryRun(choice)
  }, [])
  const change = (more: Partial<Choice>) => {
    const next = { ...choice, ...more }
    setChoice(next)
    void dryRun(next)
  }
  const go = async () => {
    const done = await attempt(
      () => api.import({ ...choice, text: file.text, name: file.name.slice(0, 200) }),
      [hintOf[tracker]],
    )
    if (!done) return
    close()
    toast.success(`${counted(done.added, [one, many])} imported, ${done.updated} changed`)
    if (done.importId !== null) void navigate({ to: importPath(tracker, done.importId) })
  }
  if (!tried) return null
  const { columns, added, updated, known } = tried
  const isKnown = known + updated > 0 || choice.known === 'add'
  return (
    <Dialog opened onClose={close} title={`Import ${many}`} size={640}>
      <Stack gap={14}>
        <Text aria-live="polite">{summaryOf(tried, [one, many])}</Text>
        {isKnown && (
          <Select
            label="Items that are known by their key"
            description={tried.knownKeys.slice(0, 8).join(', ') || undefined}
            allowDeselect={false}
            data={knownItems.map((value) => ({ value, label: knownWords[value] }))}
            value={choice.known}
            onChange={(value) => change({ known: knownItems.find((item) => item === value) ?? 'skip' })}
          />
        )}
        {(tried.asksOrder || choice.dayOrder) && (
          <Select
            label="Days such as 03/04/2026"
            placeholder="Choose"
            data={[
              { value: 'day-first', label: 'The day comes first: 3 April' },
              { value: 'month-first', label: 'The month comes first: 4 March' },
            ]}
            value={choice.dayOrder ?? null}
            onChange={(value) => value && change({ dayOrder: value === 'day-first' ? 'day-first' : 'month-first' })}
          />
        )}
        <SectionTable
          label="Columns of the file"
          edges={false}
          maxHeight={280}
          rows={columns.map((column, at) => ({ ...column, at }))}
          keyOf={({ at }) => at}
          columns={[
            {
              title: 'Column',
              cell: ({ heading, sample }) => (
                <>
                  {heading || 'No heading'}
                  <Text c="dimmed" fz="xs" lineClamp={1}>
                    {sample || 'empty'}
                  </Text>
                </>
              ),
            },
            {
              title: 'Becomes',
              width: 220,
              cell: ({ field, heading, at }) => (
                <Select
                  aria-label={`What ${heading} becomes`}
                  placeholder="Left out"
                  clearable
                  searchable
                  size="xs"
                  data={fieldOptions}
                  value={field}
                  onChange={(value) => change({ columns: withField(columns, at, value) })}
                />
              ),
            },
          ]}
        />
        {reportsOf(tried).map((report) => (
          <div key={report.title}>
            <Text fw={500}>{report.title}</Text>
            <List mah={160} style={{ overflowY: 'auto' }}>
              {report.lines.map((line) => (
                <List.Item key={line}>{line}</List.Item>
              ))}
            </List>
          </div>
        ))}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton loading={busy} onClick={() => void run(go)} reason={whyNot(tried, isTrying)}>
            Import {counted(added + updated, [one, many])}
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
