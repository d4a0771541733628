import type { Domain } from './domain.ts'

let all: readonly Domain[] = []

/** Sets what the domains state; called by `routes.tsx`, which alone imports their list. */
export function state(domains: readonly Domain[]): void {
  all = domains
}

/**
 * What the domains state, after the start. A screen that imported the list of domains would be in a circle with every
 * other screen.
 */
export const stated = (): readonly Domain[] => all
