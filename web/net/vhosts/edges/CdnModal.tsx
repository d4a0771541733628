import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { vhostsApi } from '../api.ts'
import { CdnFields } from './CdnFields.tsx'
import { reread } from './cdnActs.ts'
import { EdgePreview } from './EdgePreview.tsx'

/** Edits how long edges cache pages, and whether they serve stale pages while the website's server fails. */
export default function CdnModal({ vhost, close }: { vhost: Vhost; close: () => void }) {
  const { id, domain, cdn, minutes, stale, version } = vhost
  const rules = { cookies: vhost.rules.cookies }
  const form = useCallForm(vhostsApi.enableCdn, {
    initial: { minutes: String(minutes) as number | string, stale, rules },
    fixed: { id, version },
    valuesOf: ({ rules: { cookies } }: Vhost) => ({ rules: { cookies } }),
    labels: { minutes: 'Minutes' },
    onDone: () => {
      reread()
      toast.info(`${cdn ? 'Changing' : 'Turning on'} the CDN of ${domain}`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`CDN of ${domain}`}
      save={cdn ? 'Change CDN' : 'Turn CDN on'}
      form={{ ...form, valid: form.valid && (form.dirty || !cdn) }}
      nothing="Nothing was changed."
      size={760}
    >
      <CdnFields
        minutes={form.field('minutes')}
        stale={form.field('stale')}
        rules={form.field('rules')}
        refused={form.refused}
      />
      <EdgePreview requested={{ id, cdn: true, ...form.values }} right={form.valid} />
    </FormModal>
  )
}
