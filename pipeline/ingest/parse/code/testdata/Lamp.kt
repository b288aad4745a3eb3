package org.lantern

/** A point. */
data class Point(val x: Int, val y: Int)

/**
 * A lamp.
 *
 * @property oil how much
 */
open class Lamp(
    val oil: Int,
) : Base(), Light {
    val burning: Boolean
        get() = oil > 0

    /** Lights it. */
    override suspend fun light(wick: String): Boolean {
        val s = """ } ${wick} """
        return true
    }

    fun twice() = oil * 2

    companion object {
        fun build(): Lamp = Lamp(1)
    }
}

fun <T> List<T>.second(): T = this[1]

interface Light {
    suspend fun light(wick: String): Boolean
}
