import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { sslApi } from '../api.ts'
import { EmailField, type FormProps, HttpsFields, KindAndSite, NamesField, RenewalFields } from './fields.tsx'

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
  const { field } = form
  return (
    <FormScreen
      form={form}
      nothing="Nothing was made."
      left="Visitors are warned by their browsers."
      save="Make certificate"
      onCancel={onCancel}
    >
      <KindAndSite kind="self-signed" site={form.field('websiteId')} {...{ onKind, websiteName, onWebsite }} />
      <NamesField {...field('altNames')} />
      <EmailField description="Stored with the certificate, for whoever looks after it" {...form.text('email')} />
      <RenewalFields form={form} />
      <HttpsFields form={form} />
    </FormScreen>
  )
}
