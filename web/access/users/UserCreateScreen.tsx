import { Radio, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { usersApi } from './api.ts'
import { UserDialogs } from './dialogs/UserDialogs.tsx'
import type { UserDialog } from './UserActs.tsx'
import { labels, UserFields } from './UserFields.tsx'

export default function UserCreateScreen() {
  const navigate = useNavigate()
  const [made, setMade] = useState<UserDialog>()
  const [byLink, setByLink] = useState(true)
  const toList = () => void navigate({ to: '/users' })
  const form = useCallForm(usersApi.create, {
    initial: {
      firstName: '',
      lastName: '',
      username: '',
      email: '',
      departmentId: null as number | null,
      roleId: null as number | null,
      isAdmin: false,
      password: '',
    },
    labels,
    onDone: ({ link, ...user }) => {
      void readAgain(['users', 'roles', 'departments'])
      toast.success(`${user.name} has an account`)
      if (link) setMade({ kind: 'link', user, link })
      else toList()
    },
  })
  const { firstName, lastName, username, email } = form.values
  const unready = !byLink && form.values.password === ''
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left={unready ? 'Still needed: first password' : 'The person can sign in at once.'}
      save="Create account"
      disabled={unready}
      onCancel={toList}
    >
      <UserFields
        text={form.text}
        role={form.field('roleId')}
        department={form.field('departmentId')}
        admin={form.field('isAdmin')}
      />
      <Radio.Group
        label="How they sign in first"
        value={byLink ? 'link' : 'password'}
        onChange={(value) => {
          setByLink(value === 'link')
          form.set('password', '')
        }}
      >
        <Stack gap={8} mt={6}>
          <Radio
            value="link"
            label="By a link"
            description="Innkeeper shows you the link once. You send the link to the person, who chooses a password"
          />
          <Radio
            value="password"
            label="By a first password"
            description="You choose it; the person has to change it at the first sign-in"
          />
        </Stack>
      </Radio.Group>
      {!byLink && (
        <PasswordField
          label={labels.password}
          words={[firstName, lastName, username, email]}
          {...form.field('password')}
          withAsterisk
        />
      )}
      <UserDialogs dialog={made} close={toList} />
    </FormScreen>
  )
}
