using System;

namespace Lantern.Core
{
    /// <summary>
    /// A lamp; see <see cref="Oil"/>.
    /// </summary>
    /// <typeparam name="T">of oil</typeparam>
    [Serializable]
    public sealed class Lamp<T> : Base, ILight where T : class
    {
        private readonly string path = @"C:\{";

        public int Oil { get; set; } = 3;

        /// <summary>Lights it.</summary>
        /// <param name="wick">which one</param>
        /// <returns>whether it burns</returns>
        public async Task<bool> LightAsync(int wick)
        {
            var s = $"{wick} }}";
            return true;
        }

        public int Twice(int x) => x * 2;
        public static Lamp<T> operator +(Lamp<T> a, Lamp<T> b) { return a; }
    }

    public interface ILight { Task<bool> LightAsync(int wick); }
}
