import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { sslApi } from '../api.ts'
import { EmailField, type FormProps, HttpsFields, KindAndSite, NamesField, RenewalFields } from './fields.tsx'
import { Preflight } from './Preflight.tsx'

interface Wanted {
  websiteId: number | undefined
  subDomains: string[]
  email: string
  autoRenew: boolean
  vhostAliases: boolean
  redirect: boolean
  hstsDays: number
  force: boolean
}
/** Debounce in milliseconds before the names are checked. */
const QUIET = 600

/** Orders a certificate by ACME, with a preflight beside the form. */
export function LetsEncryptForm({ website, websiteName, onWebsite, onKind, onDone, onCancel }: FormProps) {
  const initial: Wanted = {
    ...{ websiteId: website, subDomains: [], email: '', autoRenew: true, vhostAliases: true },
    ...{ redirect: true, hstsDays: 0, force: false },
  }
  const form = useCallForm(sslApi.letsEncrypt, {
    initial,
    labels: { websiteId: 'Website' },
    onDone: ({ data }) => onDone(data.id),
  })
  const { values, set, field } = form
  const [asked] = useDebouncedValue(values, QUIET)
  return (
    <FormScreen
      form={form}
      nothing="Nothing was ordered."
      width="100%"
      side={<Preflight {...asked} />}
      left="The certificate is installed as soon as it is issued."
      save="Order certificate"
      onCancel={onCancel}
    >
      <KindAndSite kind="lets-encrypt" site={form.field('websiteId')} {...{ onKind, websiteName, onWebsite }} />
      <NamesField {...field('subDomains')} />
      <EmailField description="Where the authority sends its warnings" {...form.text('email')} />
      <RenewalFields form={form} />
      <HttpsFields form={form} />
      <Checkbox
        label="Order it even if the preflight fails"
        description="A failure counts towards the authority’s limits"
        checked={values.force}
        onChange={(event) => set('force', event.currentTarget.checked)}
      />
    </FormScreen>
  )
}
