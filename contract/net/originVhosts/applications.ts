import * as z from 'zod'

/**
 * Applications whose web server rules Innkeeper knows. `front-controller`: whatever is no file goes to index.php. `files`:
 * whatever is no file is absent.
 */
export const applications = [
  ...(['front-controller', 'wordpress', 'wordpress-folders', 'wordpress-names', 'drupal', 'joomla'] as const),
  ...(['nextcloud', 'mediawiki', 'laravel', 'files'] as const),
] as const
export const application = z.enum(applications)
export type Application = z.output<typeof application>

/** The rules of a website in which nothing was found, and for which nobody has chosen. */
export const USUAL: Application = 'front-controller'

export const applicationTitles: Readonly<Record<Application, string>> = {
  'front-controller': 'Front controller',
  wordpress: 'WordPress',
  'wordpress-folders': 'WordPress network, sub-folders',
  'wordpress-names': 'WordPress network, sub-domains',
  drupal: 'Drupal',
  joomla: 'Joomla',
  nextcloud: 'Nextcloud',
  mediawiki: 'MediaWiki',
  laravel: 'Laravel',
  files: 'Files alone',
}

/** What the rules of an application do, in a sentence. */
export const applicationHints: Readonly<Record<Application, string>> = {
  'front-controller': 'Whatever is no file goes to index.php.',
  wordpress: 'Whatever is no file goes to index.php; uploads run no PHP.',
  'wordpress-folders':
    'Like WordPress; /shop/wp-admin/, /shop/wp-includes/ and /shop/wp-login.php are those of the network.',
  'wordpress-names': 'Like WordPress; the names of its websites are aliases, or a wildcard.',
  drupal: 'Whatever is no file goes to index.php; sources, private files and uploaded PHP are closed.',
  joomla: 'Whatever is no file goes to index.php, or to the API; images, cache and logs run no PHP.',
  nextcloud: 'Data, configuration and libraries are closed; calendars and contacts are found.',
  mediawiki: 'Pages below /wiki/; sources and maintenance are closed.',
  laravel: 'Whatever is no file goes to index.php; stored files run no PHP.',
  files: 'Whatever is no file is absent: no front controller.',
}
