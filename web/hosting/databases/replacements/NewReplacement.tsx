import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import type { ReplacementSearch } from '@innkeeper/contract/hosting/databases/replacements'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { TagsInputField } from '../../../kit/form/TagsInputField.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { databasesApi } from '../api.ts'
import { Found } from './Found.tsx'

interface Props {
  website: Website
  databases: Database[]
  close: () => void
}

/** Searches the databases of a website for a text, shows what a replacement would change, and replaces it. */
export default function NewReplacement({ website: { id, domain, kind, status }, databases, close }: Props) {
  const lacking = useReason()
  const [how, setHow] = useState<'text' | 'domain' | 'network'>('text')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [ids, setIds] = useState(databases.map((one) => String(one.id)))
  const [tables, setTables] = useState<string[]>([])
  const [busy, setBusy] = useState<'search' | 'replace'>()
  const [error, setError] = useState<ApiError>()
  const [found, setFound] = useState<ReplacementSearch[]>()
  const wanted = {
    ...{ id, from, to, how },
    databases: ids.map((one) => ({ id: Number(one), ...(tables.length && ids.length === 1 && { tables }) })),
  }
  /** Changes a field, and drops the search result, which belongs to the former values. */
  const change = (act: () => void) => {
    act()
    setFound(undefined)
    setError(undefined)
  }
  const run = async (what: 'search' | 'replace', work: () => Promise<void>) => {
    setBusy(what)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(undefined)
    }
  }
  const search = () => run('search', async () => setFound((await databasesApi.search(wanted)).items))
  const replace = () =>
    run('replace', async () => {
      await databasesApi.replace(wanted)
      void readAgain(['databases', 'websites', 'workflows'])
      toast.info(`Replacing in the databases of ${domain}`, 'The former values are kept and can be put back.')
      close()
    })
  const beside = (field: string) => error?.body.fields?.[field]
  const besides = ['from', 'to', 'databases'].some(beside)
  const values = found?.reduce((sum, one) => sum + one.values, 0) ?? 0
  const wanting = !from || !to ? 'Type both texts first.' : ids.length ? undefined : 'Choose a database first.'
  return (
    <Dialog opened onClose={close} title={`Search and replace in the databases of ${domain}`} size={860}>
      <Stack gap={14}>
        <SegmentedControl
          aria-label="What is replaced"
          value={how}
          onChange={(value) => change(() => setHow(value as typeof how))}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'domain', label: 'Domain' },
            { value: 'network', label: 'With names below' },
          ]}
        />
        <Text c="dimmed" fz="xs">
          {how === 'text'
            ? 'Exactly this text, also in serialized data of PHP, whose lengths stay right, and in JSON.'
            : how === 'domain'
              ? 'A domain alone or with www., but not within a longer name or a mail address. Also in serialized data and JSON.'
              : 'A domain with all names below it, as a WordPress network has, but not in mail addresses. Also in serialized data and JSON.'}
        </Text>
        <TextInput
          label="Search for"
          placeholder={how === 'text' ? 'http://old.example' : 'old.example'}
          autoComplete="off"
          spellCheck={false}
          value={from}
          error={beside('from')}
          onChange={({ currentTarget }) => change(() => setFrom(currentTarget.value))}
        />
        <TextInput
          label="Replace by"
          placeholder={how === 'text' ? `https://${domain}` : domain}
          autoComplete="off"
          spellCheck={false}
          value={to}
          error={beside('to')}
          onChange={({ currentTarget }) => change(() => setTo(currentTarget.value))}
        />
        {databases.length > 1 && (
          <MultiSelectField
            label="Databases"
            data={databases.map((one) => ({ value: String(one.id), label: one.name }))}
            value={ids}
            error={beside('databases')}
            onChange={(value) => change(() => setIds(value))}
          />
        )}
        {ids.length === 1 && (
          <TagsInputField
            label="Tables"
            description="Empty: all tables"
            value={tables}
            error={databases.length > 1 ? undefined : beside('databases')}
            onChange={(value) => change(() => setTables(value))}
          />
        )}
        {kind === 'staging' && (
          <Text fz="xs">A merge of the tables of {domain} also copies the replaced texts to its live website.</Text>
        )}
        {error && !besides && (
          <Text c="red" fz="sm" role="alert">
            {error.message}
          </Text>
        )}
        <div aria-live="polite">
          <Stack gap={16}>
            {found?.map((one) => (
              <Found key={one.databaseId} found={one} />
            ))}
          </Stack>
        </div>
        <Group justify="flex-end" gap={8}>
          <Text c="dimmed" fz="xs" style={{ flex: 1 }}>
            {values > 0 && status === 'active' && 'Visitors get the maintenance page while the values change.'}
          </Text>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            variant={values ? 'default' : 'filled'}
            loading={busy === 'search'}
            reason={lacking(databasesApi.search) ?? wanting}
            onClick={() => void search()}
          >
            Search
          </ActButton>
          <ActButton
            loading={busy === 'replace'}
            variant={values ? 'filled' : 'default'}
            reason={
              lacking(databasesApi.replace) ??
              wanting ??
              (found
                ? values
                  ? undefined
                  : 'Nothing would change.'
                : 'Search first: the search shows what would change.')
            }
            onClick={() => void replace()}
          >
            {values ? `Replace in ${counted(values, ['value', 'values'])}` : 'Replace'}
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
