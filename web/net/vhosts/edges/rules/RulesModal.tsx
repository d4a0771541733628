import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Radio, Stack, Tabs, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../../kit/form/useOpened.ts'
import { vhostsApi } from '../../api.ts'
import { reread } from '../cdnActs.ts'
import { EdgePreview } from '../EdgePreview.tsx'
import { ErrorPages } from './ErrorPages.tsx'
import { PathRows } from './PathRows.tsx'
import { changeOf, draftOf, lineProblem, problemsOf, type RuleDraft } from './ruleDraft.ts'
import { Visitors } from './Visitors.tsx'

const monoInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } } as const

/** The rules of each tab, to mark a tab with an error. */
const tabs: [string, string, readonly (keyof RuleDraft)[]][] = [
  ['paths', 'Paths', ['paths']],
  ['visitors', 'Visitors', ['locked', 'users', 'allow', 'deny']],
  ['redirects', 'Redirects', ['redirects']],
  ['headers', 'Headers', ['headers']],
  ['errors', 'Error pages', ['errors']],
  ['fetch', 'Fetching', ['fetch']],
]

/** Edits what edges do besides caching: paths, visitors, redirects, headers, error pages, and how they fetch. */
export default function RulesModal({ vhost: shown, close }: { vhost: Vhost; close: () => void }) {
  const vhost = useOpened(shown)
  const { id, domain, version } = vhost
  const [before] = useState(() => draftOf(vhost.rules))
  const [draft, setDraft] = useState(before)
  const form = useCallForm(vhostsApi.rules, {
    initial: { rules: {} as ReturnType<typeof changeOf> },
    fixed: { id, version },
    labels: { rules: 'Rules' },
    valuesOf: (stored: Vhost) => ({ rules: changeOf(draftOf(stored.rules), before) }),
    onMerged: ({ rules }) => setDraft(draftOf({ ...vhost.rules, ...rules } as Vhost['rules'])),
    onDone: () => {
      reread()
      toast.info(`Changing the rules of ${domain}`)
      close()
    },
  })
  const refused = Object.fromEntries(
    Object.entries(form.refused).map(([path, text]) => [path.replace(/^rules\./, ''), text]),
  )
  const problems = { ...problemsOf(draft, before), ...refused }
  const change = (part: Partial<RuleDraft>) => {
    const after = { ...draft, ...part }
    setDraft(after)
    form.set('rules', changeOf(after, before))
  }
  const fields = { draft, change, problems }
  const isWrong = (keys: readonly string[]) =>
    Object.keys(problems).some((path) => keys.includes(path.split('.')[0] ?? ''))
  const right = Object.keys(problemsOf(draft, before)).length === 0
  return (
    <FormModal
      opened
      close={close}
      title={`Rules of the edges of ${domain}`}
      save="Change rules"
      form={{ ...form, valid: right && form.dirty }}
      nothing="Nothing was changed."
      size={860}
    >
      <Tabs defaultValue="paths" keepMounted={false}>
        <Tabs.List>
          {tabs.map(([value, label, keys]) => (
            <Tabs.Tab key={value} value={value} c={isWrong(keys) ? 'error' : undefined}>
              {label}
              {isWrong(keys) && ' (wrong)'}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="paths" pt={16}>
          <PathRows {...fields} />
        </Tabs.Panel>
        <Tabs.Panel value="visitors" pt={16}>
          <Visitors {...fields} />
        </Tabs.Panel>
        <Tabs.Panel value="redirects" pt={16}>
          <Textarea
            label="Redirects"
            description="One per line: path, target, and 302, 307 or 308 instead of the permanent 301. /old/* takes all below it; /new/* keeps what follows."
            placeholder={'/old /new\n/shop/* https://shop.example/* 302'}
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            styles={monoInput}
            value={draft.redirects}
            onChange={(event) => change({ redirects: event.currentTarget.value })}
            error={lineProblem(problems, 'redirects')}
          />
        </Tabs.Panel>
        <Tabs.Panel value="headers" pt={16}>
          <Textarea
            label="Headers of every answer"
            description="One per line, instead of the headers of the website. Without a value the header is removed."
            placeholder={'Referrer-Policy: no-referrer\nX-Powered-By:'}
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            styles={monoInput}
            value={draft.headers}
            onChange={(event) => change({ headers: event.currentTarget.value })}
            error={lineProblem(problems, 'headers')}
          />
        </Tabs.Panel>
        <Tabs.Panel value="errors" pt={16}>
          <ErrorPages {...fields} />
        </Tabs.Panel>
        <Tabs.Panel value="fetch" pt={16}>
          <Radio.Group
            label="How edges fetch pages"
            value={draft.fetch}
            onChange={(fetch) => change({ fetch: fetch === 'https' ? 'https' : 'http' })}
            error={problems.fetch}
          >
            <Stack gap={8} mt={6}>
              <Radio value="http" label="Over http" description="Within your own network" />
              <Radio
                value="https"
                label="Over TLS"
                description={`The certificate of ${vhost.originName} is checked; with a wrong or expired one, visitors get 502`}
              />
            </Stack>
          </Radio.Group>
        </Tabs.Panel>
      </Tabs>
      <Text c="dimmed" fz="xs">
        A change clears the cached pages. Whoever knows the address of {vhost.originName} reaches the website without
        these rules.
      </Text>
      <EdgePreview requested={{ id, rules: form.values.rules }} right={right && form.dirty} />
    </FormModal>
  )
}
