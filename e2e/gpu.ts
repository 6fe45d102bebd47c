import config from '../playwright.config.js'

const launchOptions = config.use!.launchOptions!

/** For `test.use`: SwiftShader, which Chromium brings, is a graphics processor in software. */
export const WITH_GPU = {
  launchOptions: {
    ...launchOptions,
    args: [...launchOptions.args!, '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
  },
}
