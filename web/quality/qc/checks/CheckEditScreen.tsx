import type { CheckRule } from '@innkeeper/contract/quality/qc/checks'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { count } from '../../../kit/look/format.ts'
import { qcChecksApi } from '../api.ts'
import { useEditForm } from '../settings/useEditForm.ts'
import { CheckFields } from './CheckFields.tsx'
import { checkLabels, checkValues } from './values.ts'
import { agreementOf, rateOf } from './words.ts'

export default numbered('checkId', CheckEditScreen)

function CheckEditScreen({ id }: { id: number }) {
  const query = useQuery(qcChecksApi.check.query({ id }))
  return query.data ? <Form rule={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ rule }: { rule: CheckRule }) {
  const { form, screen } = useEditForm(qcChecksApi.updateCheck, rule, {
    list: '/qc-settings-v2/checks',
    values: checkValues,
    labels: checkLabels,
  })
  return (
    <FormScreen
      {...screen}
      meta={rule.progress < 100 ? `Checking all conversations, ${rule.progress} %` : `${rateOf(rule)} failed`}
      left="A changed rule checks all conversations again in the background."
      save="Save rule"
    >
      <Section title="Results" hint={`${count(rule.failed)} failed, ${count(rule.passed)} passed`}>
        <Text c="dimmed">{agreementOf(rule)}</Text>
      </Section>
      <CheckFields values={form.values} text={form.text} field={form.field} />
    </FormScreen>
  )
}
