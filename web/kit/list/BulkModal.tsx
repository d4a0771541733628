import { Button, Group, List, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { readAgain } from '../api/readAgain.ts'
import { Dialog } from '../dialogs/Dialog.tsx'
import { Mono } from '../look/Mono.tsx'
import { StatusBadge } from '../look/StatusBadge.tsx'
import { kitWords } from '../look/texts.ts'
import { eachRow, type RowResult } from './bulk.ts'
import { listTexts } from './texts.ts'

export interface BulkAct<R> {
  /** Title as a question: "Suspend 12 websites?" */
  title: string
  /** Consequence of the action. */
  text: string
  /** Verb and noun: "Suspend websites". */
  verb: string
  rows: readonly R[]
  name: (row: R) => { id: number; name: string }
  act: (row: R) => Promise<unknown>
  /** Domains whose queries are invalidated afterwards. */
  domains: readonly string[]
}

/** Asks, runs the action per row, and shows the result of each row until the dialog is closed. */
export function BulkModal<R>({
  title,
  text,
  verb,
  rows,
  name,
  act,
  domains,
  onClose,
}: BulkAct<R> & { onClose: () => void }) {
  const [done, setDone] = useState<number>()
  const [results, setResults] = useState<RowResult[]>()
  const begun = useRef(false)
  const run = async () => {
    if (begun.current) return
    begun.current = true
    setDone(0)
    setResults(await eachRow(rows, name, act, setDone))
    void readAgain(domains)
  }
  const busy = done !== undefined && !results
  return (
    <Dialog
      opened
      onClose={() => busy || onClose()}
      title={results ? verb : title}
      size={560}
      maw={600}
      withCloseButton={!busy}
    >
      <Stack gap="md">
        {results ? <Results results={results} /> : <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>}
        {busy && <Progress value={(100 * done) / rows.length} aria-label={listTexts().progress} />}
        <Group justify="flex-end" gap={8}>
          {results ? (
            <Button variant="default" onClick={onClose} data-autofocus>
              {kitWords().close}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={onClose} disabled={busy}>
                {kitWords().cancel}
              </Button>
              <Button onClick={() => void run()} loading={busy} data-autofocus>
                {verb}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Refusals first: they are what somebody has to look at. */
export function Results({ results }: { results: RowResult[] }) {
  const refused = results.filter(({ error }) => error)
  const begun = results.length - refused.length
  const words = listTexts()
  return (
    <>
      <Text aria-live="polite">
        {words.started(begun, results.length)}
        {refused.length > 0 && words.andRefused(refused.length)}.
      </Text>
      <ScrollArea.Autosize mah={320} type="auto">
        <List listStyleType="none" spacing={6}>
          {[...refused, ...results.filter(({ error }) => !error)].map(({ id, name, error }) => (
            <List.Item key={id}>
              <Group gap={10} wrap="nowrap" align="flex-start">
                <StatusBadge state={error ? 'failed' : 'done'} label={error ? words.refused : words.begun} />
                <div style={{ minWidth: 0 }}>
                  <Mono>{name}</Mono>
                  {error && (
                    <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {error}
                    </Text>
                  )}
                </div>
              </Group>
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </>
  )
}
