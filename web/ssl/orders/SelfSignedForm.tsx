import { Stack } from '@mantine/core'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import css from '../../kit/form/form.module.css'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { WebsiteField } from '../../websites/WebsiteField.tsx'
import { sslApi } from '../api.ts'
import { EmailField, type FormProps, HttpsFields, KindField, NamesField, RenewalFields } from './fields.tsx'

interface Wanted {
  websiteId: number | undefined
  altNames: string[]
  email: string
  autoRenew: boolean
  vhostAliases: boolean
  redirect: boolean
  hstsDays: number
}

/** Creates a self-signed certificate, which browsers do not trust. */
export default function SelfSignedForm({ website, websiteName, onWebsite, onKind, onDone, onCancel }: FormProps) {
  const initial: Wanted = {
    ...{ websiteId: website, altNames: [], email: '', autoRenew: true, vhostAliases: true },
    ...{ redirect: false, hstsDays: 0 },
  }
  const form = useCallForm(sslApi.selfSigned, {
    initial,
    labels: { websiteId: 'Website' },
    onDone: ({ data }) => onDone(data.id),
  })
  const { values, set, field } = form
  return (
    <form {...form.form} className={css.form}>
      <Screen scroll={false}>
        <div className={css.body}>
          <Stack gap={18} maw={640}>
            <FormNotes form={form} nothing="Nothing was made." />
            <KindField kind="self-signed" onKind={onKind} />
            <WebsiteField
              {...field('websiteId')}
              valueName={websiteName}
              onChange={(id) => {
                set('websiteId', id)
                onWebsite(id)
              }}
            />
            <NamesField {...field('altNames')} />
            <EmailField description="Kept with it, for whoever looks after it" {...form.text('email')} />
            <RenewalFields
              {...values}
              onAutoRenew={(on) => set('autoRenew', on)}
              onAliases={(on) => set('vhostAliases', on)}
            />
            <HttpsFields
              {...values}
              onRedirect={(on) => set('redirect', on)}
              onHsts={(days) => set('hstsDays', days)}
              error={field('hstsDays').error}
            />
          </Stack>
        </div>
      </Screen>
      <SaveBar
        left={form.wanting ?? 'Visitors are warned by their browsers.'}
        save="Make certificate"
        busy={form.busy}
        disabled={!form.valid}
        onCancel={onCancel}
      />
    </form>
  )
}
