import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { vhostsApi } from '../api.ts'
import { reread } from './cdnActs.ts'

type Which = 'all' | 'urls' | 'prefixes'
const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/** Clears all cached pages, single URLs, or all URLs with a prefix. */
export default function ClearModal({ vhost, close }: { vhost: Vhost; close: () => void }) {
  const { id, domain } = vhost
  const [which, setWhich] = useState<Which>('all')
  const [text, setText] = useState('')
  const form = useCallForm(vhostsApi.clear, {
    initial: { urls: undefined as string[] | undefined, prefixes: undefined as string[] | undefined },
    fixed: { id },
    labels: { urls: 'Addresses', prefixes: 'Beginnings' },
    onDone: () => {
      reread()
      toast.info(`The edges of ${domain} clear ${which === 'all' ? 'all pages' : 'these pages'}`)
      close()
    },
  })
  const write = (kind: Which, typed: string) => {
    setWhich(kind)
    setText(typed)
    const lines = linesOf(typed)
    form.setValues({ urls: kind === 'urls' ? lines : undefined, prefixes: kind === 'prefixes' ? lines : undefined })
  }
  const needs = which !== 'all' && linesOf(text).length === 0
  const error = which === 'all' ? undefined : (form.refused[which] ?? (needs ? undefined : form.problems[which]))
  return (
    <FormModal
      opened
      close={close}
      title={`Clear the cache of ${domain}`}
      save="Clear pages"
      form={{ ...form, valid: form.valid && !needs }}
      nothing="Nothing was cleared."
    >
      <Radio.Group label="Which" value={which} onChange={(kind) => write(kind as Which, text)}>
        <Stack gap={8} mt={6}>
          <Radio value="all" label="All pages" />
          <Radio value="urls" label="These addresses" />
          <Radio value="prefixes" label="All pages that begin with these addresses" />
        </Stack>
      </Radio.Group>
      {which !== 'all' && (
        <Textarea
          label={which === 'urls' ? 'Addresses' : 'Beginnings'}
          description="One per line, with http:// or https://: edges cache these two separately"
          placeholder={`http://${domain}/${which === 'urls' ? 'logo.png' : 'images/'}`}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={text}
          error={error}
          onChange={(event) => write(which, event.currentTarget.value)}
        />
      )}
    </FormModal>
  )
}
