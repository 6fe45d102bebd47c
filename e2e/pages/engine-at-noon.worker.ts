import './fixed-clock.js'
import '../../workers/engine.js'
