// Runs inside the sandbox: stands for the package CompareNETObjects in tests that compare results.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace KellermanSoftware.CompareNetObjects
{
    public class ComparisonResult
    {
        public bool AreEqual { get; set; }
    }

    public class CompareLogic
    {
        public ComparisonResult Compare(object left, object right)
        {
            return new ComparisonResult { AreEqual = Same(left, right, 0) };
        }

        static bool Same(object left, object right, int depth)
        {
            if (ReferenceEquals(left, right)) return true;
            if (left == null || right == null || depth > 100 || left.GetType() != right.GetType()) return false;
            Type type = left.GetType();
            if (type.IsPrimitive || type.IsEnum || left is string || left is decimal || left is DateTime)
            {
                return left.Equals(right);
            }
            IDictionary map = left as IDictionary;
            if (map != null)
            {
                IDictionary other = (IDictionary)right;
                return map.Count == other.Count
                    && map.Keys.Cast<object>().All(key => other.Contains(key) && Same(map[key], other[key], depth + 1));
            }
            if (left is IEnumerable)
            {
                List<object> one = ((IEnumerable)left).Cast<object>().ToList();
                List<object> other = ((IEnumerable)right).Cast<object>().ToList();
                if (one.Count != other.Count) return false;
                if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(HashSet<>))
                {
                    return one.All(each => other.Any(partner => Same(each, partner, depth + 1)));
                }
                for (int at = 0; at < one.Count; at++)
                {
                    if (!Same(one[at], other[at], depth + 1)) return false;
                }
                return true;
            }
            BindingFlags all = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
            return type.GetFields(all).All(field => Same(field.GetValue(left), field.GetValue(right), depth + 1));
        }
    }
}
