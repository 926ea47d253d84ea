/** Which SDK this is: written into manifests, so that host and launcher can say what they cannot load. */

/** Name of this package. */
export const SDK_NAME = '@runbound/sdk'
/** Version of this package, equal to that of its package.json. */
export const SDK_VERSION = '0.1.0'

/** The first number of a version. Versions below 1 break with the second number, so that belongs to it. */
export function majorOf(version: string): string {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `0.${minor}` : major
}
