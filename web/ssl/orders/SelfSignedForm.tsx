import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
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
    <FormScreen
      form={form}
      nothing="Nothing was made."
      left="Visitors are warned by their browsers."
      save="Make certificate"
      onCancel={onCancel}
    >
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
      <EmailField description="Stored with the certificate, for whoever looks after it" {...form.text('email')} />
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
    </FormScreen>
  )
}
