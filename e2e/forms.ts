import type { Page } from 'playwright-core'
import { password } from './innkeeper.ts'

export async function signInByForm(page: Page, user: string, secret = password): Promise<void> {
  await page.getByLabel('User name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export interface Filled {
  domain: string
  owner: string
  server: string
  plan?: string
}

/** Fills the form at /websites/create, creating the owner in the form; does not submit. */
export async function fillWebsite(page: Page, { domain, owner, server, plan = 'Business' }: Filled): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Create website' }).waitFor() // the list has a Domain field too
  await page.getByLabel('Domain').fill(domain)
  await page.getByRole('button', { name: 'add a new one' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add owner' })
  await dialog.getByLabel('Name').fill(owner)
  await dialog.getByLabel('Email').fill(`${owner.toLowerCase().replaceAll(' ', '.')}@example.org`)
  await dialog.getByRole('button', { name: 'Add owner' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('combobox', { name: 'Server' }).click()
  await page.getByRole('option', { name: server }).click()
  await page.getByRole('radio', { name: `${plan}:` }).click()
}

/** Creates a website at /websites/create and waits until its page shows Active. */
export async function createByForm(page: Page, wanted: Filled): Promise<void> {
  await page.goto('/websites/create')
  await fillWebsite(page, wanted)
  await page.getByRole('button', { name: 'Create website' }).click()
  await page.getByRole('heading', { level: 1, name: wanted.domain }).waitFor()
  await pill(page, 'Active').waitFor()
}

/** The status pill beside the title of the page. */
export const pill = (page: Page, word: string) =>
  page.locator('h1').locator('xpath=..').getByText(word, { exact: true })
