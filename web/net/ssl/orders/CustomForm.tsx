import { Group, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { TextFileButton } from '../../../kit/form/TextFileButton.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { SectionBars } from '../../../kit/frame/SectionBars.tsx'
import { sslApi } from '../api.ts'
import { type FormProps, HttpsFields, KindAndSite } from './fields.tsx'

const Checked = lazyPart(() => import('./Checked.tsx'), SectionBars)

interface Wanted {
  websiteId: number | undefined
  certificate: string
  key: string
  ca: string
  redirect: boolean
  hstsDays: number
}
const texts = [
  ['certificate', 'Certificate', 'Begins with -----BEGIN CERTIFICATE-----'],
  ['key', 'Private key', 'The key is stored encrypted and never shown again'],
  ['ca', 'Chain', 'The certificates of its issuers, in any order; leave empty if they are included above'],
] as const
const QUIET = 500
const MOST_PEM = 100_000

/** Uploads a certificate issued elsewhere; the form shows its contents before saving. */
export default function CustomForm({ website, websiteName, onWebsite, onKind, onDone, onCancel }: FormProps) {
  const initial: Wanted = { websiteId: website, certificate: '', key: '', ca: '', redirect: true, hstsDays: 0 }
  const form = useCallForm(sslApi.custom, {
    initial,
    labels: { websiteId: 'Website', certificate: 'Certificate', key: 'Private key' },
    onDone: ({ data }) => onDone(data.id),
  })
  const { values, set } = form
  // the private key stays in the browser until the form is saved
  const [{ websiteId, certificate, ca }] = useDebouncedValue(values, QUIET)
  return (
    <FormScreen
      form={form}
      nothing="Nothing was kept."
      width="100%"
      side={<Checked websiteId={websiteId} certificate={certificate} ca={ca} />}
      left="The certificate is installed at once. The present one is served until the new one answers."
      save="Upload certificate"
      onCancel={onCancel}
    >
      <KindAndSite kind="custom" site={form.field('websiteId')} {...{ onKind, websiteName, onWebsite }} />
      {texts.map(([key, label, description]) => (
        <div key={key}>
          <Textarea
            label={label}
            description={description}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            withAsterisk={key !== 'ca'}
            autosize
            minRows={3}
            maxRows={10}
            autoComplete="off"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...form.text(key)}
          />
          <Group mt={6}>
            <TextFileButton most={MOST_PEM} onText={(text) => set(key, text)} />
          </Group>
        </div>
      ))}
      <HttpsFields form={form} />
    </FormScreen>
  )
}
