import type { NumberInputProps } from '@mantine/core'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { WaitingInput } from './WaitingInput.tsx'

/** Mantine's NumberInput, whose code loads after the form. */
export const NumberField = lazyPart<NumberInputProps>(() => import('./LaterNumberInput.tsx'), WaitingInput)
