import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { engines } from './words.ts'

export type Engine = Database['engine']
interface Props {
  value: Engine
  onChange: (engine: Engine) => void
  error?: ReactNode
  description?: string
}

/** The engine of a new database or account. */
export const EngineField = ({ value, onChange, error, description }: Props) => (
  <Select
    label="Engine"
    allowDeselect={false}
    data={engines}
    description={description}
    value={value}
    error={error}
    // the options are the values of the contract
    onChange={(engine) => onChange((engine ?? 'mariadb') as Engine)}
  />
)
