import type { Department } from '@innkeeper/contract/access/departments'
import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { counted } from '../../kit/look/format.ts'
import { departmentsApi } from './api.ts'
import { Members } from './Members.tsx'

export default numbered('departmentId', DepartmentEditScreen)

function DepartmentEditScreen({ id }: { id: number }) {
  const query = useQuery(departmentsApi.one.query({ id }))
  return query.data ? <Form department={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ department }: { department: Department }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/departments' })
  const opened = useOpened(department)
  const { id, name, description, version } = opened
  const form = useCallForm(departmentsApi.update, {
    initial: { name, description: description ?? '', add: [] as number[], remove: [] as number[], version },
    fixed: { id },
    labels: { name: 'Name', description: 'Description', add: 'New members', remove: 'Members taken out' },
    onDone: (saved) => {
      void readAgain(['departments', 'users'])
      toast.success(`${saved.name} is saved`)
      toList()
    },
  })
  const { add, remove } = form.values
  const moving = add.length + remove.length
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={department.name}
      meta={`${counted(department.people, ['person', 'people'])}, ${counted(department.roles, ['role', 'roles'])}`}
      side={
        <Together>
          <Members
            id={id}
            add={add}
            remove={remove}
            setAdd={(ids) => form.set('add', ids)}
            setRemove={(ids) => form.set('remove', ids)}
            error={form.field('add').error ?? form.field('remove').error}
          />
        </Together>
      }
      left={
        moving ? `${counted(moving, ['person moves', 'people move'])}; their sessions get the new rights.` : undefined
      }
      save="Save department"
      onCancel={toList}
    >
      <TextInput label="Name" autoComplete="off" {...form.text('name')} />
      <Textarea label="Description" autosize minRows={2} {...form.text('description')} />
    </FormScreen>
  )
}
