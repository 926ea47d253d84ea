/** The run's log and its bot. */
import { LOG_LEVELS, type LogLevel } from '@runbound/protocol'
import type { CanLog } from '../../context/replies.ts'
import { SdkError } from '../../errors.ts'
import { result } from '../../results.ts'
import { checkText } from '../calls/arguments.ts'
import type { RunParts } from './parts.ts'

/** Makes the log methods. */
export function logOf({ context, life, output }: RunParts): CanLog {
  return {
    async log(text, level = 'info') {
      life.check('log')
      checkLevel(level)
      checkText('log', text, 'log_text')
      await output.push(result.processorLog(context.run_id, text, level))
    },

    async getBotUuid() {
      life.check('getBotUuid')
      const bot = context.conversation?.bot_id || context.event.data.bot_uuid
      if (typeof bot === 'string' && bot !== '') return bot
      throw new SdkError('no_bot', `No bot is associated with run ${context.run_id}.`)
    },
  }
}

function checkLevel(level: LogLevel): void {
  if (LOG_LEVELS.includes(level)) return
  throw new SdkError('invalid_argument', `There is no log level "${level}". Levels are: ${LOG_LEVELS.join(', ')}.`)
}
