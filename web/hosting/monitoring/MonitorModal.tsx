import type { Monitor } from '@innkeeper/contract/hosting/monitoring'
import { Switch, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { monitoringApi } from './api.ts'

interface Props {
  monitor: Monitor
  domain: string
  close: () => void
}

/** Edits whether a website is watched, and which page is requested. */
export function MonitorModal({ monitor, domain, close }: Props) {
  const { websiteId, enabled, path, word, version } = monitor
  const form = useCallForm(monitoringApi.update, {
    initial: { enabled, path, word: word ?? '' },
    fixed: { id: websiteId, version },
    labels: { path: 'Page', word: 'Word' },
    onDone: () => {
      void readAgain(['monitoring', 'websites'])
      close()
    },
  })
  const watched = form.field('enabled')
  return (
    <FormModal
      opened
      close={close}
      title={`Monitoring of ${domain}`}
      save="Change monitoring"
      form={{ ...form, valid: form.valid && form.dirty }}
      nothing="Nothing was changed."
    >
      <Switch
        label="Watch the website"
        description="Another machine requests the website each minute. After three failures in a row the website is down, and people are notified."
        checked={watched.value}
        onChange={(event) => watched.onChange(event.currentTarget.checked)}
      />
      <TextInput label="Page" description="Path of the page on the website" {...form.text('path')} />
      <TextInput
        label="Word on the page"
        description="A text that the source of the page must contain; empty: any page counts as up"
        {...form.text('word')}
      />
    </FormModal>
  )
}
