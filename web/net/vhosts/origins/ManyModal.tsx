import { type PhpExtension, phpExtensions } from '@innkeeper/contract/hosting/phpExtensions'
import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { Select, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { counted } from '../../../kit/look/format.ts'
import { originVhostsApi } from '../api.ts'
import { draftOf, type PhpDraft } from '../words.ts'
import { isRight, PhpFields } from './PhpFields.tsx'

interface Extensions {
  extensionsOn: PhpExtension[]
  extensionsOff: PhpExtension[]
}
const none: Extensions = { extensionsOn: [], extensionsOff: [] }

/** Changes many websites: the first one alone, the others only after it answers correctly. */
export default function ManyModal({ rows, close }: { rows: OriginVhost[]; close: () => void }) {
  const [draft, setDraft] = useState(draftOf({}))
  const [extensions, setExtensions] = useState(none)
  const [wait, setWait] = useState(false)
  const lacking = useReason()(originVhostsApi.modules)
  const { data } = useQuery({ ...originVhostsApi.modules.query(), enabled: !lacking })
  const form = useCallForm(originVhostsApi.phpOfMany, {
    initial: { phpModule: '', phpParameters: {} },
    fixed: { ids: rows.map(({ id }) => id), wait },
    labels: { phpModule: 'PHP' },
    onDone: ({ order }) => {
      void readAgain(['originVhosts', 'websites', 'workflows'])
      const others = counted(order.length - 1, ['other follows', 'others follow'])
      toast.info(
        `${order[0]} goes first`,
        wait ? `${others} when you resume its workflow.` : `${others} once it answers.`,
      )
      close()
    },
  })
  const write = (next: PhpDraft, chosen: Extensions) => {
    setDraft(next)
    setExtensions(chosen)
    // empty fields keep each website's own value
    form.set('phpParameters', {
      ...Object.fromEntries(Object.entries(next).filter(([, text]) => text.trim() !== '')),
      ...Object.fromEntries(Object.entries(chosen).filter(([, names]) => names.length)),
    })
  }
  const choose = (field: keyof Extensions) => (names: string[]) =>
    write(draft, { ...extensions, [field]: names as PhpExtension[] }) // the options are the known names
  const module = form.field('phpModule')
  return (
    <FormModal
      opened
      close={close}
      title={`PHP of ${counted(rows.length, ['website', 'websites'])}`}
      save="Change PHP"
      form={{ ...form, valid: form.valid && form.dirty && isRight(draft) }}
      nothing="Nothing was changed."
      size={760}
    >
      <Select
        label="PHP"
        clearable
        placeholder="As each has it"
        data={(data?.items ?? []).map(({ name }) => name)}
        value={module.value || null}
        onChange={(name) => module.onChange(name ?? '')}
        error={module.error ?? form.refused.ids}
      />
      <PhpFields value={draft} onChange={(next) => write(next, extensions)} refused={form.refused} />
      <MultiSelectField
        label="Extensions switched on"
        description="Besides those that each has. If a server lacks one, its websites are refused and all changes are undone"
        searchable
        data={[...phpExtensions]}
        value={extensions.extensionsOn}
        onChange={choose('extensionsOn')}
        error={form.refused['phpParameters.extensionsOn']}
      />
      <MultiSelectField
        label="Extensions switched off"
        searchable
        data={[...phpExtensions]}
        value={extensions.extensionsOff}
        onChange={choose('extensionsOff')}
        error={form.refused['phpParameters.extensionsOff']}
      />
      <Switch
        label="Wait after the first"
        description="The others stay unchanged until somebody resumes the workflow or rolls it back"
        checked={wait}
        onChange={(event) => setWait(event.currentTarget.checked)}
      />
      <Text c="dimmed" fz="xs">
        Empty fields change nothing. The websites are changed one after the other, server by server; if one fails, all
        changes are undone.
      </Text>
    </FormModal>
  )
}
